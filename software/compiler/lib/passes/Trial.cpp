// SPDX-License-Identifier: Apache-2.0
// Everything is checked before anything changes: the whole way from the pragma
// to the tasks is tried on a copy of the module, which is thrown away. What is
// refused there loses its pragma before the real module is touched, so that it
// is compiled as if the plugin were off.

#include "passes/Passes.h"
#include "frontend/AsyncMark.h"
#include "frontend/Clauses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/ElimAvailExtern.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/Instrumentation/GCOVProfiler.h"
#include "llvm/Transforms/Instrumentation/InstrProfiling.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// The real compilation will report what the trial would.
struct Silence : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
  bool isAnalysisRemarkEnabled(StringRef) const override { return false; }
  bool isMissedOptRemarkEnabled(StringRef) const override { return false; }
  bool isPassedOptRemarkEnabled(StringRef) const override { return false; }
  bool isAnyRemarkEnabled() const override { return false; }
};

} // namespace

ModuleSnapshot::ModuleSnapshot(const Module &M) {
  raw_svector_ostream Out(Bitcode);
  WriteBitcodeToFile(M, Out, /*ShouldPreserveUseListOrder=*/true);
}

void ModuleSnapshot::run(ModulePassManager &Passes,
                         ModuleAnalysisManager &MAM) const {
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<Silence>());
  Expected<std::unique_ptr<Module>> Parsed = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), "trial"),
      Context);
  if (!Parsed)
    report_fatal_error(Parsed.takeError());
  Module &Copy = **Parsed;
  Passes.run(Copy, MAM);
  MAM.clear(Copy, Copy.getName());
}

namespace {

/// Most variables that a message proposes to share.
constexpr unsigned MaxProposed = 4;

/// Adds what Clang puts behind the start of the pipeline where a program counts
/// for a profile (--coverage, -fprofile-instr-generate): counters in memory. No
/// file is written on a trial.
void addProfileCounters(const Module &M, bool Atomic,
                        ModulePassManager &Passes) {
  if (const NamedMDNode *Files = M.getNamedMetadata("llvm.gcov");
      Files && any_of(Files->operands(), [](const MDNode *File) {
        auto *Data = dyn_cast<MDString>(File->getOperand(1));
        return Data && !Data->getString().empty();
      })) {
    GCOVOptions CountersOnly = GCOVOptions::getDefault();
    CountersOnly.EmitNotes = false;
    CountersOnly.EmitData = true;
    CountersOnly.Atomic = Atomic;
    Passes.addPass(GCOVProfilerPass(CountersOnly));
  }
  for (Intrinsic::ID Counter :
       {Intrinsic::instrprof_increment, Intrinsic::instrprof_increment_step,
        Intrinsic::instrprof_cover})
    if (M.getFunction(Intrinsic::getName(Counter))) {
      InstrProfOptions Counters;
      Counters.Atomic = Atomic;
      Passes.addPass(InstrProfilingLoweringPass(Counters));
      break;
    }
}

class Trials {
public:
  Trials(const Module &M, ModuleAnalysisManager &MAM, PassBuilder &PB,
         const Compilation &Like)
      : M(M), Start(M), MAM(MAM), PB(PB), Like(Like) {}

  /// One run over a copy with the pragmas that are not refused yet.
  Outcomes tryOnce(const TrialResult &Known, const SharedVariables &Shared) {
    Outcomes Found;
    // What PassBuilder puts between the start of the pipeline and the place of
    // the second phase.
    ModulePassManager Passes;
    Passes.addPass(AsyncMarkPass(Known, Shared, &Found));
    Passes.addPass(KeepStorePlacesPass());
    addProfileCounters(M, Like.AtomicCounters, Passes);
    Passes.addPass(
        PB.buildModuleSimplificationPipeline(Like.Level, Like.Phase));
    if (Like.Phase == ThinOrFullLTOPhase::None)
      Passes.addPass(EliminateAvailableExternallyPass());
    if (Like.Phase != ThinOrFullLTOPhase::ThinLTOPreLink) {
      Passes.addPass(ReversePostOrderFunctionAttrsPass());
      Passes.addPass(RecomputeGlobalsAAPass());
    }
    Passes.addPass(AsyncSplitPass(&Found));
    Start.run(Passes, MAM);
    return Found;
  }

  /// Adds to the reasons in \p All which variables shared_var() must name for
  /// the loop to be split, where that is enough: it is tried.
  void proposeShared(TrialResult &Known) {
    RefusedLoops &All = Known.Refused;
    SharedVariables Shared;
    for (const auto &[Pragma, Reasons] : All)
      if (!Reasons.empty() && !Reasons.front().Variable.empty())
        Shared[Pragma] = {Reasons.front().Variable};
    while (!Shared.empty()) {
      TrialResult Others = Known;
      for (const auto &[Pragma, Names] : Shared)
        Others.Refused.erase(Pragma);
      Outcomes Tried = tryOnce(Others, Shared);
      RefusedLoops Still = Tried.refused();
      for (auto &[Pragma, Names] : SharedVariables(Shared)) {
        auto Found = Still.find(Pragma);
        if (Found == Still.end()) {
          if (!Tried.lost().count(Pragma))
            propose(All[Pragma].front(), Names);
        } else {
          const std::string &Next = Found->second.front().Variable;
          if (!Next.empty() && !is_contained(Names, Next) &&
              Names.size() < MaxProposed) {
            Shared[Pragma].push_back(Next);
            continue;
          }
        }
        Shared.erase(Pragma);
      }
    }
  }

private:
  const Module &M;
  ModuleSnapshot Start;
  ModuleAnalysisManager &MAM;
  PassBuilder &PB;
  Compilation Like;

  void propose(RefusalReason &Reason, ArrayRef<std::string> Names) {
    StringRef Why = Reason.Why;
    Why.consume_back(RestrictHint);
    Why.consume_back(FloatHint);
    Why.consume_back(LockHint);
    Reason.Why = Why.str() + "; if iterations may come in any order, name " +
                 std::string(Names.size() == 1 ? "it" : "them") +
                 " in shared_var(" + join(Names, ", ") + ")";
  }
};

} // namespace

TrialResult asyncmem::tryLoops(const Module &M, ModuleAnalysisManager &MAM,
                               PassBuilder &PB, const Compilation &Like) {
  Trials Trials(M, MAM, PB, Like);
  TrialResult All;
  do {
    Outcomes Found = Trials.tryOnce(All, {});
    RefusedLoops More = Found.refused();
    if (More.empty() && Found.lost().empty())
      break;
    All.Refused.merge(More);
    All.Pinned.insert(Found.lost().begin(), Found.lost().end());
  } while (AsyncMarkPass::hasOtherPragmas(M, All.Refused));
  Trials.proposeShared(All);
  return All;
}
