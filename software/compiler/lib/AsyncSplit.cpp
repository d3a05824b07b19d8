// SPDX-License-Identifier: Apache-2.0
// Finds the tagged loops, analyses each one, transforms it or says at the
// pragma why it stays serial.

#include "asyncmem/AsyncSplit.h"
#include "asyncmem/Atomics.h"
#include "asyncmem/Clauses.h"
#include "asyncmem/ContextCounters.h"
#include "asyncmem/FatalExits.h"
#include "asyncmem/FoldPhis.h"
#include "asyncmem/InlineCallees.h"
#include "asyncmem/Legality.h"
#include "asyncmem/NearLines.h"
#include "asyncmem/Names.h"
#include "asyncmem/Remarks.h"
#include "asyncmem/RemoteSelects.h"
#include "asyncmem/RunTimeChoice.h"
#include "asyncmem/Scheduler.h"
#include "asyncmem/TaskBuilder.h"
#include "asyncmem/TaskLoop.h"
#include "asyncmem/WholeUpdates.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// The tag AsyncMark left on a loop.
struct LoopTagInfo {
  unsigned Id;
  unsigned Tasks;
  DebugLoc Pragma;
};

std::optional<LoopTagInfo> readTag(const Loop &L) {
  MDNode *Id = L.getLoopID();
  if (!Id)
    return std::nullopt;
  MDNode *Tag = GetUnrollMetadata(Id, LoopTag);
  if (!Tag)
    return std::nullopt;
  auto Number = [&](unsigned I) {
    return unsigned(
        mdconst::extract<ConstantInt>(Tag->getOperand(I))->getZExtValue());
  };
  LoopTagInfo Info = {Number(1), Number(2), DebugLoc()};
  if (Tag->getNumOperands() > 3)
    Info.Pragma = DebugLoc(cast<DILocation>(Tag->getOperand(3)));
  return Info;
}

/// Gives the loop back to the other passes.
void removeTag(Loop &L) {
  L.setLoopID(makePostTransformationMetadata(
      L.getHeader()->getContext(), L.getLoopID(),
      {LoopTag, "llvm.loop.unroll.disable"}, {}));
}

void warnSerial(const Function &F, const DebugLoc &Pragma, StringRef Why,
                const DebugLoc &Where) {
  std::string Text = ("loop left serial: " + Why).str();
  if (Where && Where.getLine())
    Text += " (line " + std::to_string(Where.getLine()) + ", column " +
            std::to_string(Where.getCol()) + ")";
  F.getContext().diagnose(DiagnosticInfoOptimizationFailure(
                              PassName, "LoopLeftSerial", Pragma,
                              &F.getEntryBlock())
                          << Text);
  OptimizationRemarkEmitter(&F).emit([&] {
    return OptimizationRemarkMissed(PassName, "LoopNotSplit", Pragma,
                                    &F.getEntryBlock())
           << Text;
  });
}

/// \returns null if \p Kind can be used for \p M, else what is missing.
const char *checkTarget(SchedulerKind Kind, const Module &M) {
  bool NeedsAmu =
      Kind == SchedulerKind::Getfin || Kind == SchedulerKind::Bafin;
  if (NeedsAmu && !Triple(M.getTargetTriple()).isRISCV64())
    return "the getfin and bafin schedulers need the target riscv64; use "
           "-fplugin-arg-asyncmem-sched=static";
  return nullptr;
}

class FunctionSplitter {
public:
  FunctionSplitter(Function &F, FunctionAnalysisManager &FAM,
                   const Options &Opts, SmallSet<unsigned, 8> &Seen)
      : F(F), FAM(FAM), Opts(Opts), Seen(Seen) {}

  bool run() {
    bool Changed = showBases();
    if (findTagged()) {
      inlineCallees();
      tidy();
    }
    while (Loop *L = findTagged()) {
      Changed = true;
      if (keepFatalExits(*L)) {
        FAM.invalidate(F, PreservedAnalyses::none());
        continue;
      }
      LoopTagInfo Tag = *readTag(*L);
      Seen.insert(Tag.Id);
      removeTag(*L);
      process(*L, Tag);
      FAM.invalidate(F, PreservedAnalyses::none());
    }
    promoteVariables(F);
    return Changed;
  }

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  const Options &Opts;
  SmallSet<unsigned, 8> &Seen;

  Loop *findTagged() {
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (readTag(*L))
        return L;
    return nullptr;
  }

  void inlineCallees() {
    auto InlineOne = [&] {
      auto Loops = FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder();
      return any_of(Loops, [&](Loop *L) {
        return readTag(*L) && inlineCallee(*L, Opts);
      });
    };
    while (InlineOne()) {
      FAM.invalidate(F, PreservedAnalyses::none());
      showBases();
    }
  }

  /// Takes back what AsyncMark hid from the optimizer.
  bool showBases() {
    SmallVector<CallInst *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (const Function *Callee = Call->getCalledFunction())
          if (Callee->getName() == FreshFunction)
            Calls.push_back(Call);
    for (CallInst *Call : Calls) {
      Call->replaceAllUsesWith(Call->getArgOperand(0));
      Call->eraseFromParent();
    }
    if (!Calls.empty())
      FAM.invalidate(F, PreservedAnalyses::none());
    return !Calls.empty();
  }

  /// Phis of equal bases become one value, equal loads of one iteration one
  /// load. At -O1 the ways out of a scope still meet in one switch over a
  /// number that says which it is. No task waits for a value nobody reads.
  void tidy() {
    FunctionPassManager Passes;
    Passes.addPass(InstSimplifyPass());
    Passes.addPass(
        GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
    Passes.addPass(JumpThreadingPass());
    Passes.addPass(ADCEPass());
    FAM.invalidate(F, Passes.run(F, FAM));
  }

  /// Brings the loop into the form "body, then condition".
  void canonicalize(Loop &L) {
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &AC = FAM.getResult<AssumptionAnalysis>(F);
    auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
    SimplifyQuery Query(F.getParent()->getDataLayout(), nullptr, &DT, &AC);
    simplifyLoop(&L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(L, DT, &LI, &SE);
    if (!L.isLoopExiting(L.getLoopLatch()))
      LoopRotation(&L, &LI, &TTI, &AC, &DT, &SE, nullptr, Query,
                   /*RotationOnly=*/true, /*Threshold=*/~0u,
                   /*IsUtilMode=*/true);
    simplifyLoop(&L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/true);
    formLCSSARecursively(L, DT, &LI, &SE);
    // Rotation, jump threading and nested coroutines leave such phis behind.
    foldPhis(L, DT);
  }

  bool analyze(TaskLoop &T, Refusal &No) {
    RemotePointers Pointers(F);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    LoopBlocksRPO Order(T.L);
    Order.perform(&LI);
    T.Blocks.assign(Order.begin(), Order.end());
    auto &AA = FAM.getResult<AAManager>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    makeUpdatesUnconditional(T);
    if (!analyzeShape(T, No) || !collectAccesses(T, Pointers, No))
      return false;
    if (makeUpdatesWhole(T, AA))
      SE.forgetLoop(T.L);
    return classifyCarriedValues(T, AA, No) && checkMemoryDependences(T, SE, No);
  }

  void process(Loop &L, const LoopTagInfo &Tag) {
    if (const char *Why = checkTarget(Opts.Scheduler, *F.getParent())) {
      warnSerial(F, Tag.Pragma, Why, DebugLoc());
      return;
    }
    for (Loop *Inner : L.getLoopsInPreorder())
      if (Inner != &L)
        if (std::optional<LoopTagInfo> InnerTag = readTag(*Inner)) {
          Seen.insert(InnerTag->Id);
          removeTag(*Inner);
          warnSerial(F, InnerTag->Pragma,
                     "it is inside another marked loop, whose tasks run it",
                     DebugLoc());
        }
    canonicalize(L);
    releaseVariables(L);
    TaskLoop T;
    T.L = &L;
    Refusal No;
    if (!analyze(T, No)) {
      warnSerial(F, Tag.Pragma, No.Why, No.Where);
      return;
    }
    build(T, Tag);
  }

  /// The choice at run time needs a cycle counter every program may read. On
  /// RISC-V remote memory is slow for certain, so it must be asked for.
  uint64_t adaptCycles() const {
    Triple Target(F.getParent()->getTargetTriple());
    if (Target.getArch() == Triple::x86_64)
      return Opts.AdaptCycles.value_or(DefaultAdaptCycles);
    return Target.isRISCV64() ? Opts.AdaptCycles.value_or(0) : 0;
  }

  void build(TaskLoop &T, const LoopTagInfo &Tag) {
    unsigned Tasks = Opts.Tasks ? Opts.Tasks : Tag.Tasks;
    if (Opts.Scheduler != SchedulerKind::Static)
      Tasks = std::min(Tasks, MaxAmuId);
    reportLaunchLoads(T);
    ValueClasses Classes = {unsigned(T.Shared.size()),
                            unsigned(T.Sequential.size())};
    if (Opts.Scheduler != SchedulerKind::Static)
      expandRemoteAtomics(T);
    CoalesceAnalyses Analyses = {FAM.getResult<AAManager>(F),
                                 FAM.getResult<AssumptionAnalysis>(F),
                                 FAM.getResult<DominatorTreeAnalysis>(F),
                                 FAM.getResult<ScalarEvolutionAnalysis>(F)};
    coalesceAccesses(T, Scheduler::limits(Opts, Tasks), Analyses);
    if (Opts.Scheduler == SchedulerKind::Static) {
      NearCounts Near = leaveNearAccesses(T, Opts, Tasks, Analyses,
                                          FAM.getResult<LoopAnalysis>(F));
      reportNear(F, Tag.Pragma, Near, T.Groups.empty());
      if (T.Groups.empty())
        return;
      if (Opts.BranchlessSelects)
        selectWithoutBranches(T);
    }
    Tasks = Scheduler::tasksWithRoom(Opts, Tasks, T.Groups);
    reportSuspensions(T);
    uint64_t AdaptCycles = adaptCycles();
    bool Adapts = AdaptCycles && addRunTimeChoice(T, Tasks, AdaptCycles);
    TaskStatistics Built = buildTasks(T, Opts, Tasks);
    Built.Adapts = Adapts;
    FAM.invalidate(F, PreservedAnalyses::none());

    FunctionPassManager Cleanup;
    Cleanup.addPass(EarlyCSEPass());
    Cleanup.addPass(ADCEPass());
    Cleanup.addPass(SimplifyCFGPass());
    Cleanup.run(F, FAM);
    if (Opts.Count)
      addContextCounters(F);

    reportSplit(F, Tag.Pragma, schedulerName(Opts.Scheduler), Classes, Built);
  }
};

/// Warns for each pragma whose loop no longer exists.
void reportLostLoops(Module &M, const SmallSet<unsigned, 8> &Seen) {
  NamedMDNode *List = M.getNamedMetadata(PragmaList);
  if (!List)
    return;
  for (MDNode *Node : List->operands()) {
    auto *Id = mdconst::extract<ConstantInt>(Node->getOperand(0));
    auto *F = mdconst::dyn_extract_or_null<Function>(Node->getOperand(1));
    if (F && !F->isDeclaration() && !Seen.contains(Id->getZExtValue()))
      warnSerial(*F, Node->getNumOperands() > 2
                         ? DebugLoc(cast<DILocation>(Node->getOperand(2)))
                         : DebugLoc(),
                 "optimisation removed it before it could be split", DebugLoc());
  }
  List->eraseFromParent();
}

} // namespace

PreservedAnalyses AsyncSplitPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallSet<unsigned, 8> Seen;
  bool Changed = false;
  if (Opts.Scheduler != SchedulerKind::None) {
    for (Function &F : M)
      if (!F.isDeclaration())
        Changed |= FunctionSplitter(F, FAM, Opts, Seen).run();
    reportLostLoops(M, Seen);
  }
  if (Function *Fresh = M.getFunction(FreshFunction)) {
    Changed = true;
    Fresh->eraseFromParent();
  }
  if (Function *Remote = M.getFunction(RemoteFunction)) {
    Changed = true;
    for (User *U : make_early_inc_range(Remote->users()))
      cast<Instruction>(U)->eraseFromParent();
    Remote->eraseFromParent();
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
