// SPDX-License-Identifier: Apache-2.0

#include "passes/LoopPipeline.h"
#include "analysis/Analyses.h"
#include "analysis/IterationGraph.h"
#include "choice/RunTimeChoice.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"
#include "transform/Transforms.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class LoopPipeline {
public:
  LoopPipeline(Function &F, const LoopTagInfo &Tag, ArrayRef<MarkedLoop> Inside,
               FunctionAnalysisManager &FAM, const SplitContext &Context)
      : F(F), FAM(FAM), Context(Context), Opts(Context.Opts),
        Verdicts(Context.Verdicts), On(*F.getParent(), Context.Opts), Tag(Tag),
        Inside(Inside) {}

  bool run(Loop &Marked);

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  const SplitContext &Context;
  const Options &Opts;
  LoopVerdicts &Verdicts;
  const Machine On;
  const LoopTagInfo &Tag;
  ArrayRef<MarkedLoop> Inside;

  template <class Analysis> typename Analysis::Result &get() {
    return FAM.getResult<Analysis>(F);
  }

  /// \returns what \p Look finds out, which must not change the function.
  template <class Analysis> auto look(Analysis Look) {
    UnchangedFunction Check(F, Opts.Verify);
    return Look();
  }

  bool reach(Stage Now, const TaskLoop &T) const;
  bool choosesForGood() const;
  CoalesceAnalyses analyses();
  bool leaveStores(const TaskLoop &T);
  bool leaveShort(const Loop &L);
  void leaveInside();
  void analyzeAnew(TaskLoop &T);
  GlobalVariable *addChoice(TaskLoop &T, unsigned Tasks);
};

} // namespace

/// The steps in their order. Those without an `if` are for NH-G and x86-64; Amu: NH-G with
/// getfin or bafin; Prefetch: x86-64, and NH-G without the AMU. The steps before them are
/// those of whole functions (LoopPreparation.cpp), as callees may become part of a loop.
/// The first phase is AsyncMarkPass.
bool LoopPipeline::run(Loop &Marked) {
  Loop *L = &Marked;
  const bool Amu = On.usesAmu();
  const bool Prefetch = On.prefetches();
  const bool JoinsLines = Amu && Opts.Coalesce.Fields && Opts.Coalesce.Lines;
  const bool JoinsAll = JoinsLines && Opts.Coalesce.Sets;
  TaskLoop T;
  Refusal No;

  // The loop in the forms that the analyses know, and what they find.
  auto Analyze = [&] {
    T = TaskLoop();
    T.L = L;
    splitCompares(*L, Amu, FAM);
    splitIntoPieces(*L, F, Amu);
    const RemotePointers Pointers(*L);
    LoopBlocksRPO Order(L);
    Order.perform(&get<LoopAnalysis>());
    T.Blocks.assign(Order.begin(), Order.end());
    makeUpdatesUnconditional(T);
    if (!analyzeShape(T, No) || !collectAccesses(T, Pointers, Amu, No) ||
        !dropDeadAccesses(T, No) || !collectPrivateMemory(T, No))
      return false;
    readLate(T);
    const bool HasNewSums = sumInIterations(T);
    if (makeUpdatesWhole(T, get<AAManager>(), get<LoopAnalysis>()) ||
        HasNewSums)
      get<ScalarEvolutionAnalysis>().forgetLoop(L);
    return look([&] {
      auto &SE = get<ScalarEvolutionAnalysis>();
      return classifyCarriedValues(T, get<AAManager>(), No) &&
             checkMemoryDependences(T, SE, No) &&
             findRemoteUpdates(T, SE, Amu, No);
    });
  };
  canonicalize(*L, Tag.Id, FAM);
  std::unique_ptr<ShortRuns> Short =
      choosesForGood() ? ShortRuns::create(*L, FAM) : nullptr;
  bool CanSplit = Analyze();
  if (No.NothingRemote) {
    Verdicts.findNoRemote(F, Tag, No);
    return false;
  }
  Verdicts.findRemote(Tag);
  if (CanSplit && (leaveStores(T) || leaveShort(*L)))
    return false;
  if (CanSplit && JoinsAll && (joinIterations(T, FAM) || keepLine(T, FAM))) {
    L = get<LoopAnalysis>().getLoopFor(T.Header);
    canonicalize(*L, Tag.Id, FAM);
    CanSplit = Analyze();
  }
  if (!CanSplit) {
    Verdicts.refuse(F, Tag, No.Why, No.Where, No.Variable);
    return false;
  }
  if (On.isAmuLent() && !canChoose(T)) {
    Verdicts.refuse(F, Tag,
                    "it ends in a form that has no plain copy, for threads "
                    "without the AMU",
                    DebugLoc());
    return false;
  }
  Verdicts.accept(Tag);

  // What the pragma promises. Not every scheduler makes updates exclusive that only an
  // inner loop needs so.
  const CheckedLoop Promised = {
      T, Tag.Pragma,
      look([&] { return checkedAccesses(T, get<ScalarEvolutionAnalysis>()); })};
  leaveInside();
  if (reach(Stage::Classified, T))
    return false;
  reportPromises(T, Tag.Pragma, Promised.Accesses);
  if (On.checks()) {
    reportChecked(
        F, Tag.Pragma,
        checkLoop(Promised, {get<LoopAnalysis>(), get<DominatorTreeAnalysis>(),
                             get<ScalarEvolutionAnalysis>()}));
    return false;
  }
  if (!Verdicts.isTrial())
    reportAccesses(T);
  reportLaunchLoads(T);
  const ValueClasses Classes = {unsigned(T.Shared.size()),
                                unsigned(T.Sequential.size())};

  // Which accesses wait together, as which requests or prefetches.
  unsigned Tasks = Opts.Tasks ? Opts.Tasks : Tag.Tasks;
  GlobalVariable *Choice = nullptr;
  if (Amu) {
    Tasks = std::min(Tasks, MaxAmuId);
    reportUpdates(T);
    T.Synchronizes = synchronizes(T);
    expandRemoteAtomics(T);
    takeOwnership(T, FAM);
  }
  const CoalesceLimits Limits = On.limits(Tasks);
  look([&] { planGroups(T, Limits, analyses()); });
  if (reach(Stage::Grouped, T))
    return false;
  moveTogether(T);
  auto &LI = get<LoopAnalysis>();
  if (Amu) {
    look([&] {
      if (JoinsLines)
        requestRecords(T, Limits.MaxSlotBytes, analyses(), LI,
                       get<BlockFrequencyAnalysis>());
      if (Opts.Coalesce.Sets && Opts.Coalesce.Lines && !Opts.AdaptTasks)
        carryStores(T, Limits.MaxSlotBytes);
      if (JoinsLines)
        requestRows(T, analyses(), LI);
      if (JoinsAll)
        planStrips(T, Limits, analyses(), LI, get<TargetIRAnalysis>());
    });
    countStrips(T, get<ScalarEvolutionAnalysis>(), LI);
  }
  if (Prefetch) {
    look([&] { planNear(T, On, Tasks, analyses(), LI); });
    if (reach(Stage::Near, T))
      return false;
    // The plain loop has none of what follows.
    if (!T.Groups.empty())
      Choice = addChoice(T, Tasks);
    insertPrefetches(T);
    reportNear(T, Tag.Pragma);
    if (T.Groups.empty()) {
      reach(Stage::Planned, T);
      return false;
    }
    analyzeAnew(T);
    removeUndividedUpdates(T);
    reportUpdates(T);
    takeOwnership(T, FAM);
  }
  if (reach(Stage::Planned, T))
    return false;

  // The loop becomes tasks.
  Tasks = On.tasksWithRoom(Tasks, T.Groups);
  reportSuspensions(T);
  if (Amu) {
    Choice = addChoice(T, Tasks);
    analyzeAnew(T);
    stepProducts(T, get<ScalarEvolutionAnalysis>());
    keepBranchWeights(T, get<BranchProbabilityAnalysis>());
  }
  if (Opts.BranchlessSelects)
    markSelects(T, /*OnlyCarried=*/Amu);
  const Labels Before = Opts.Verify ? labelsWithoutJump(F) : Labels();
  TaskStatistics Built = buildTasks(T, FAM, Opts, Tasks);
  Built.Adapts = Choice;
  if (Opts.Verify)
    verifyTasks(F, Before);
  reportSplit(F, Tag.Pragma, schedulerName(Opts.Scheduler), Classes, Built);
  simplifyTasks(F, FAM);
  if (Amu)
    expandMarkedSelects(F);
  if (Opts.Count)
    addContextCounters(F);
  if (Short && Choice)
    simplifyPlainLoops(Short->finish(Choice), FAM);
  return true;
}

/// \returns true if the phase ends here.
bool LoopPipeline::reach(Stage Now, const TaskLoop &T) const {
  if (Opts.Verify)
    verifyLoop(Now, T, Opts);
  if (Context.Observer)
    Context.Observer(Now, T, Tag);
  return Context.Last == Now;
}

/// On a trial the verdict is all, and who looks at a stage sees the loop itself.
bool LoopPipeline::choosesForGood() const {
  return !Verdicts.isTrial() && !Context.Last && !Context.Observer &&
         On.adaptCycles();
}

CoalesceAnalyses LoopPipeline::analyses() {
  return {get<AAManager>(), get<AssumptionAnalysis>(),
          get<DominatorTreeAnalysis>(), get<ScalarEvolutionAnalysis>()};
}

/// \returns how many iterations \p L has at most, if an out-of-order window holds them
/// all, else 0.
static unsigned iterationsInWindow(const Loop &L, ScalarEvolution &SE) {
  if (!isWhole(L))
    return 0;
  uint64_t Instructions = 0;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (isa<AnyMemIntrinsic>(I))
        return 0;
      Instructions +=
          !isMark(I) && !I.isDebugOrPseudoInst() && !isa<PHINode>(I);
    }
  unsigned Most = SE.getSmallConstantMaxTripCount(&L);
  return Most * Instructions <= cost::MaxOverlappedInstructions ? Most : 0;
}

/// The core runs ahead through all of a short loop, and on behind it, where tasks end.
/// The choice at run time would be the same, but is not free.
bool LoopPipeline::leaveShort(const Loop &L) {
  if (!Verdicts.isTrial() || !Inside.empty() || Opts.AdaptCycles ||
      On.checks() || !On.adaptCycles())
    return false;
  unsigned Most = iterationsInWindow(L, get<ScalarEvolutionAnalysis>());
  if (Most == 0)
    return false;
  Verdicts.leave(Tag, "its " + utostr(Most) +
                          (Most == 1 ? " iteration is" : " iterations are") +
                          " so short that the core overlaps them by itself");
  return true;
}

/// Prefetching tasks would wait nowhere.
bool LoopPipeline::leaveStores(const TaskLoop &T) {
  if (!Verdicts.isTrial() || !On.prefetches() ||
      any_of(T.Remote, [](Instruction *I) { return !isa<StoreInst>(I); }))
    return false;
  Verdicts.leave(Tag, "it only stores to remote memory");
  return true;
}

/// The marked loops inside run in the tasks of this one: their pragmas change nothing;
/// clauses would.
void LoopPipeline::leaveInside() {
  for (const MarkedLoop &Inner : Inside)
    if (Inner.Tag.HasClauses)
      Verdicts.refuse(F, Inner.Tag,
                      "it is inside another marked loop, whose tasks run it",
                      DebugLoc());
    else if (Verdicts.isTrial())
      Verdicts.forget(Inner.Tag);
}

/// The loop and what is around it have changed since they were analysed.
void LoopPipeline::analyzeAnew(TaskLoop &T) {
  FAM.invalidate(F, PreservedAnalyses::none());
  T.L = get<LoopAnalysis>().getLoopFor(T.Header);
}

/// The program chooses between tasks and the plain loop. \returns the policy's record.
GlobalVariable *LoopPipeline::addChoice(TaskLoop &T, unsigned Tasks) {
  const uint64_t Cycles = On.adaptCycles();
  return Cycles || On.isAmuLent()
             ? addRunTimeChoice(T, Tasks, Cycles, On.counters())
             : nullptr;
}

bool asyncmem::splitLoop(Loop &L, const LoopTagInfo &Tag,
                         ArrayRef<MarkedLoop> Inside,
                         FunctionAnalysisManager &FAM,
                         const SplitContext &Context) {
  return LoopPipeline(*L.getHeader()->getParent(), Tag, Inside, FAM, Context)
      .run(L);
}
