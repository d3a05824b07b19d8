// SPDX-License-Identifier: Apache-2.0

#include "passes/LoopSplit.h"
#include "analysis/RemoteUpdates.h"
#include "analysis/IterationGraph.h"
#include "choice/RunTimeChoice.h"
#include "common/Instructions.h"
#include "common/TaskLoop.h"
#include "passes/CodeParts.h"
#include "passes/Remarks.h"
#include "passes/Verify.h"
#include "requests/NearLines.h"
#include "tasks/Scheduler.h"
#include "tasks/TaskBuilder.h"
#include "requests/RowRequests.h"
#include "transform/Ownership.h"
#include "transform/BranchHints.h"
#include "transform/Checker.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

uint64_t SplitContext::adaptCycles(const Target &Machine) const {
  return Machine.hasCycleCounter()
             ? Opts.AdaptCycles.value_or(Machine.adaptCycles())
             : 0;
}

void SplitContext::leaveInside(Function &F, const MarkedLoop &Inner) const {
  if (Inner.Tag.HasClauses)
    Verdicts.refuse(F, Inner.Tag,
                    "it is inside another marked loop, whose tasks run it",
                    DebugLoc());
  else if (Verdicts.isTrial())
    Verdicts.forget(Inner.Tag);
}

/// \returns true if the phase ends here.
bool LoopSplit::reach(Stage Now, const TaskLoop &T,
                      const LoopTagInfo &Tag) const {
  if (Opts.Verify)
    verifyLoop(Now, T, Opts);
  if (Context.Observer)
    Context.Observer(Now, T, Tag);
  return Context.Last == Now;
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
bool LoopSplit::leaveShort(const Loop &L, const LoopTagInfo &Tag,
                           ArrayRef<MarkedLoop> Inside) {
  if (!Verdicts.isTrial() || !Inside.empty() || Opts.AdaptCycles ||
      Opts.Scheduler == SchedulerKind::Check || !Context.adaptCycles(Machine))
    return false;
  unsigned Most =
      iterationsInWindow(L, FAM.getResult<ScalarEvolutionAnalysis>(F));
  if (Most == 0)
    return false;
  Verdicts.leave(Tag, "its " + utostr(Most) +
                          (Most == 1 ? " iteration is" : " iterations are") +
                          " so short that the core overlaps them by itself");
  return true;
}

/// Prefetching tasks would wait nowhere.
bool LoopSplit::leaveStores(const TaskLoop &T, const LoopTagInfo &Tag) {
  if (!Verdicts.isTrial() || Opts.Scheduler != SchedulerKind::Static ||
      any_of(T.Remote, [](Instruction *I) { return !isa<StoreInst>(I); }))
    return false;
  Verdicts.leave(Tag, "it only stores to remote memory");
  return true;
}

bool LoopSplit::run(Loop &L, const LoopTagInfo &Tag,
                    ArrayRef<MarkedLoop> Inside) {
  TaskLoop T;
  T.L = &L;
  Refusal No;
  bool CanSplit = Prepare.analyze(T, No);
  if (No.NothingRemote) {
    Verdicts.findNoRemote(F, Tag, No);
    return false;
  }
  Verdicts.findRemote(Tag);
  if (CanSplit && (leaveStores(T, Tag) || leaveShort(*T.L, Tag, Inside)))
    return false;
  if (CanSplit && Prepare.joinIterations(T)) {
    Prepare.canonicalize(L, Tag.Id);
    T = TaskLoop();
    T.L = &L;
    CanSplit = Prepare.analyze(T, No);
  }
  if (!CanSplit) {
    Verdicts.refuse(F, Tag, No.Why, No.Where, No.Variable);
    return false;
  }
  Verdicts.accept(Tag);
  // Not every scheduler makes updates exclusive that only an inner loop needs so.
  const CheckedLoop Promised = {T, Tag.Pragma, Prepare.checkedAccesses(T)};
  for (const MarkedLoop &Inner : Inside)
    Context.leaveInside(F, Inner);
  return !reach(Stage::Classified, T, Tag) && build(T, Tag, Promised);
}

/// The loop and what is around it have changed since they were analysed.
void LoopSplit::analyzeAnew(TaskLoop &T) {
  FAM.invalidate(F, PreservedAnalyses::none());
  T.L = FAM.getResult<LoopAnalysis>(F).getLoopFor(T.Header);
}

/// The cycle counter may be an instruction-set simulator's. Who asks for the choice
/// wants it there, too.
static PolicyCounters counters(const Options &Opts, const Target &Machine) {
  bool Default = !Opts.AdaptCycles && Machine.mayCountInstructions();
  return {Default, Default && Opts.Scheduler != SchedulerKind::Static};
}

/// The program chooses between tasks and the plain loop.
void LoopSplit::addChoice(TaskLoop &T, unsigned Tasks) {
  if (uint64_t Cycles = Context.adaptCycles(Machine))
    Choice = addRunTimeChoice(T, Tasks, Cycles, counters(Opts, Machine));
}

bool LoopSplit::build(TaskLoop &T, const LoopTagInfo &Tag,
                      const CheckedLoop &Promised) {
  reportPromises(T, Tag.Pragma, Promised.Accesses);
  if (Opts.Scheduler == SchedulerKind::Check) {
    reportChecked(F, Tag.Pragma, Prepare.checkLoop(Promised));
    return false;
  }
  if (!Verdicts.isTrial())
    reportAccesses(T);
  unsigned Tasks = Context.taskCount(Tag);
  if (Opts.Scheduler != SchedulerKind::Static)
    Tasks = std::min(Tasks, MaxAmuId);
  reportLaunchLoads(T);
  ValueClasses Classes = {unsigned(T.Shared.size()),
                          unsigned(T.Sequential.size())};
  if (Opts.Scheduler != SchedulerKind::Static) {
    reportUpdates(T);
    T.Synchronizes = synchronizes(T);
    expandRemoteAtomics(T);
    Prepare.protectUpdates(T);
  }
  Prepare.planGroups(T, Tasks);
  if (reach(Stage::Grouped, T, Tag))
    return false;
  Prepare.planRequests(T, Tasks);
  if (Opts.Scheduler == SchedulerKind::Static) {
    if (reach(Stage::Near, T, Tag))
      return false;
    // The plain loop has none of what follows.
    if (!T.Groups.empty())
      addChoice(T, Tasks);
    insertPrefetches(T);
    reportNear(F, Tag.Pragma, countNear(T), T.Groups.empty());
    if (T.Groups.empty()) {
      reach(Stage::Planned, T, Tag);
      return false;
    }
    analyzeAnew(T);
    removeUndividedUpdates(T);
    reportUpdates(T);
    Prepare.protectUpdates(T);
    if (Opts.BranchlessSelects)
      selectWithoutBranches(T);
  }
  if (reach(Stage::Planned, T, Tag))
    return false;
  Tasks = Scheduler::tasksWithRoom(Opts, Tasks, T.Groups);
  reportSuspensions(T);
  if (Opts.Scheduler != SchedulerKind::Static) {
    addChoice(T, Tasks);
    analyzeAnew(T);
    keepBranchWeights(T, FAM.getResult<BranchProbabilityAnalysis>(F));
  }
  Labels Before = Opts.Verify ? labelsWithoutJump(F) : Labels();
  TaskStatistics Built = buildTasks(T, FAM, Opts, Tasks);
  Built.Adapts = Choice;
  if (Opts.Verify)
    verifyTasks(F, Before);
  reportSplit(F, Tag.Pragma, schedulerName(Opts.Scheduler), Classes, Built);
  return true;
}

void asyncmem::cleanUpTasks(Function &F, FunctionAnalysisManager &FAM,
                            const Options &Opts) {
  simplifyTasks(F, FAM);
  if (Opts.Count)
    addContextCounters(F);
}
