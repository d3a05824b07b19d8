// SPDX-License-Identifier: Apache-2.0

#include "passes/Trial.h"
#include "common/Refusal.h"
#include "frontend/AsyncMark.h"
#include "frontend/StorePlaces.h"
#include "passes/AsyncSplit.h"
#include "passes/ModuleSnapshot.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/ElimAvailExtern.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Most variables that a message proposes to share.
constexpr unsigned MaxProposed = 4;

class Trials {
public:
  Trials(const Module &M, ModuleAnalysisManager &MAM, PassBuilder &PB,
         OptimizationLevel Level)
      : Start(M), MAM(MAM), PB(PB), Level(Level) {}

  /// One run over a copy with the pragmas that are not refused yet.
  Outcomes tryOnce(const TrialResult &Known, const SharedVariables &Shared) {
    Outcomes Found;
    // What PassBuilder puts between the start of the pipeline and the place of
    // the second phase.
    ModulePassManager Passes;
    Passes.addPass(AsyncMarkPass(Known, Shared, &Found));
    Passes.addPass(KeepStorePlacesPass());
    Passes.addPass(
        PB.buildModuleSimplificationPipeline(Level, ThinOrFullLTOPhase::None));
    Passes.addPass(EliminateAvailableExternallyPass());
    Passes.addPass(ReversePostOrderFunctionAttrsPass());
    Passes.addPass(RecomputeGlobalsAAPass());
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
  ModuleSnapshot Start;
  ModuleAnalysisManager &MAM;
  PassBuilder &PB;
  OptimizationLevel Level;

  void propose(RefusalReason &Reason, ArrayRef<std::string> Names) {
    StringRef Why = Reason.Why;
    Why.consume_back(RestrictHint);
    Why.consume_back(FloatHint);
    Reason.Why = Why.str() + "; if iterations may come in any order, name " +
                 std::string(Names.size() == 1 ? "it" : "them") +
                 " in shared_var(" + join(Names, ", ") + ")";
  }
};

} // namespace

TrialResult asyncmem::tryLoops(const Module &M, ModuleAnalysisManager &MAM,
                               PassBuilder &PB, OptimizationLevel Level) {
  Trials Trials(M, MAM, PB, Level);
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
