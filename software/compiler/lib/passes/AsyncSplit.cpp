// SPDX-License-Identifier: Apache-2.0
// Finds the tagged loops, analyses each one, transforms it or says at the
// pragma why it stays serial.

#include "passes/AsyncSplit.h"
#include "analysis/RemoteUpdates.h"
#include "choice/RunTimeChoice.h"
#include "common/ModuleOptions.h"
#include "common/Names.h"
#include "common/Target.h"
#include "frontend/Clauses.h"
#include "frontend/LoopPins.h"
#include "frontend/LoopTag.h"
#include "frontend/StorePlaces.h"
#include "loop/TaskLoop.h"
#include "passes/ContextCounters.h"
#include "passes/FormSplit.h"
#include "passes/LoopPreparation.h"
#include "passes/LoopVerdicts.h"
#include "passes/Remarks.h"
#include "passes/Simplification.h"
#include "passes/Verify.h"
#include "requests/NearLines.h"
#include "requests/RowRequests.h"
#include "schedule/Scheduler.h"
#include "tasks/EarlyOperations.h"
#include "tasks/TaskBuilder.h"
#include "transform/Atomics.h"
#include "transform/BranchWeights.h"
#include "transform/CheckedLoop.h"
#include "transform/ExclusiveUpdates.h"
#include "transform/FatalExits.h"
#include "transform/KeptValues.h"
#include "transform/RemoteSelects.h"
#include "transform/SteppedProducts.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns null if \p Kind can be used for \p M, else what is missing.
const char *checkTarget(const Options &Opts, const Module &M) {
  if (Opts.usesAmu() && !Target(M).mayHaveAmu())
    return "the getfin and bafin schedulers need the target riscv64; use "
           "-fplugin-arg-asyncmem-sched=static";
  return nullptr;
}

/// A loop that bore a mark.
struct MarkedLoop {
  BasicBlock *Header;
  LoopTagInfo Tag;
};

class FunctionSplitter {
public:
  FunctionSplitter(Function &F, FunctionAnalysisManager &FAM,
                   const Options &Opts, std::optional<Stage> Last,
                   const StageObserver &Observer, LoopVerdicts &Verdicts)
      : F(F), FAM(FAM), Opts(Opts), Last(Last), Observer(Observer),
        Verdicts(Verdicts), Prepare(F, FAM, Opts), Machine(*F.getParent()) {}

  bool run() {
    bool Changed = false;
    while (Loop *L = Prepare.findTagged()) {
      Changed = true;
      if (keepFatalExits(*L)) {
        FAM.invalidate(F, PreservedAnalyses::none());
        continue;
      }
      LoopTagInfo Tag = *readTag(*L);
      Verdicts.see(Tag);
      removeTag(*L);
      if (Last == Stage::Prepared) {
        Prepare.canonicalize(*L, Tag.Id);
        Prepared.push_back({L->getHeader(), Tag});
      } else {
        process(*L, Tag);
      }
      FAM.invalidate(F, PreservedAnalyses::none());
    }
    for (const auto &[Header, Tag] : Prepared)
      tagLoop(*FAM.getResult<LoopAnalysis>(F).getLoopFor(Header), Tag);
    if (Last != Stage::Prepared)
      promoteVariables(F, FAM);
    if (HasForms)
      simplifyPlainLoops(F, FAM);
    return Changed;
  }

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  const Options &Opts;
  std::optional<Stage> Last;
  const StageObserver &Observer;
  LoopVerdicts &Verdicts;
  LoopPreparation Prepare;
  Target Machine;
  /// Headers of the loops that get their tags back.
  SmallVector<std::pair<BasicBlock *, LoopTagInfo>, 2> Prepared;
  bool HasForms = false;

  /// \returns true if the phase ends here.
  bool reach(Stage Now, const TaskLoop &T, const LoopTagInfo &Tag) const {
    if (Opts.Verify)
      verifyLoop(Now, T, Opts);
    if (Observer)
      Observer(Now, T, Tag);
    return Last == Now;
  }

  void process(Loop &L, const LoopTagInfo &Tag) {
    if (const char *Why = checkTarget(Opts, *F.getParent())) {
      Verdicts.refuse(F, Tag, Why, DebugLoc());
      return;
    }
    bool Merged = false;
    SmallVector<MarkedLoop, 2> Inside;
    for (Loop *Inner : L.getLoopsInPreorder())
      if (Inner != &L)
        if (std::optional<LoopTagInfo> InnerTag = readTag(*Inner)) {
          Verdicts.see(*InnerTag);
          removeTag(*Inner);
          Merged |= InnerTag->Id == Tag.Id;
          Inside.push_back({Inner->getHeader(), *InnerTag});
        }
    if (Merged) {
      Verdicts.lose(&F, Tag);
      return;
    }
    Prepare.canonicalize(L, Tag.Id);
    if (hasSeparateForms() && splitBeside(L, Tag))
      for (const MarkedLoop &Inner : Inside)
        refuseInside(Inner, Refusal());
    else
      splitInPlace(L, Tag, Inside);
  }

  /// Only tasks of the AMU share inner loops, and clauses would change those.
  void forgetInside(const MarkedLoop &Inner) {
    if (Verdicts.isTrial() && !Inner.Tag.HasClauses)
      Verdicts.forget(Inner.Tag);
    else
      refuseInside(Inner, Refusal());
  }

  static Refusal because(StringRef Why) {
    Refusal No;
    No.Why = Why.str();
    return No;
  }

  void refuseInside(const MarkedLoop &Inner, const Refusal &No) {
    Verdicts.refuse(F, Inner.Tag,
                    "it is inside another marked loop, whose tasks run it" +
                        (No.Why.empty() ? "" : " as a whole: " + No.Why),
                    No.Where);
  }

  /// Tasks of the AMU share the iterations of one of the loops \p Inside, which
  /// becomes \p Chosen.
  void chooseNested(TaskLoop &T, TaskLoop &Chosen,
                    ArrayRef<MarkedLoop> Inside) {
    for (const MarkedLoop &Inner : Inside) {
      Refusal No;
      auto &LI = FAM.getResult<LoopAnalysis>(F);
      Loop *Marked = LI.getLoopFor(Inner.Header);
      if (!Opts.sharesInnerLoops())
        forgetInside(Inner);
      else if (!Marked || Marked->getHeader() != Inner.Header)
        refuseInside(Inner, No);
      else if (Inner.Tag.HasClauses)
        refuseInside(Inner, because("its clauses belong to its pragma"));
      else if (T.Nested)
        refuseInside(Inner, because("they share another loop in it"));
      else {
        Chosen = TaskLoop();
        Chosen.L = Marked;
        if (!Prepare.findNested(T, Chosen, No)) {
          refuseInside(Inner, No);
          continue;
        }
        T.Nested->Pragma = Inner.Tag.Pragma;
        Verdicts.accept(Inner.Tag);
      }
    }
  }

  /// NH-G has one form, and its plain loop is another one: it prefetches. On a
  /// trial the verdict is all, and who looks at a stage sees the loop itself.
  bool hasSeparateForms() const {
    return Opts.Scheduler == SchedulerKind::Static && !Verdicts.isTrial() &&
           !Last && !Observer && !Machine.mayHaveAmu() && adaptCycles();
  }

  unsigned taskCount(const LoopTagInfo &Tag) const {
    return Opts.Tasks ? Opts.Tasks : Tag.Tasks;
  }

  bool splitBeside(Loop &L, const LoopTagInfo &Tag) {
    Labels Before = Opts.Verify ? labelsWithoutJump(F) : Labels();
    SmallVector<Function *, 4> Forms = splitIntoForms(
        L, FAM, Opts, {taskCount(Tag), adaptCycles(), Tag.Pragma});
    if (Forms.empty())
      return false;
    Verdicts.findRemote(Tag);
    HasForms = true;
    if (Opts.Verify)
      verifyTasks(F, Before);
    cleanUp(F);
    for (Function *Form : Forms) {
      // What jumps to its labels was checked where it was built.
      if (Opts.Verify)
        verifyTasks(*Form, labelsWithoutJump(*Form));
      cleanUp(*Form);
    }
    return true;
  }

  void splitInPlace(Loop &L, const LoopTagInfo &Tag,
                    ArrayRef<MarkedLoop> Inside) {
    TaskLoop T;
    T.L = &L;
    Refusal No;
    bool CanSplit = Prepare.analyze(T, No);
    if (No.NothingRemote) {
      Verdicts.findNoRemote(F, Tag, No);
      return;
    }
    Verdicts.findRemote(Tag);
    // A line that its own task keeps would keep a loop inside from being shared.
    Loop *Changed =
        CanSplit && Inside.empty() ? Prepare.saveRequests(T) : nullptr;
    if (Changed) {
      Prepare.canonicalize(*Changed, Tag.Id);
      T = TaskLoop();
      T.L = Changed;
      CanSplit = Prepare.analyze(T, No);
    }
    if (!CanSplit) {
      Verdicts.refuse(F, Tag, No.Why, No.Where, No.Variable);
      return;
    }
    Verdicts.accept(Tag);
    // Not every scheduler makes updates exclusive that only an inner loop needs so.
    SmallVector<CheckedLoop, 2> Promised = {
        {T, Tag.Pragma, Prepare.checkedAccesses(T)}};
    TaskLoop Inner;
    chooseNested(T, Inner, Inside);
    if (T.Nested)
      Promised.push_back(
          {Inner, T.Nested->Pragma, Prepare.checkedAccesses(Inner)});
    if (!reach(Stage::Classified, T, Tag))
      build(T, Tag, Promised);
  }

  /// The loop and what is around it have changed since they were analysed.
  void analyzeAnew(TaskLoop &T) {
    FAM.invalidate(F, PreservedAnalyses::none());
    T.L = FAM.getResult<LoopAnalysis>(F).getLoopFor(T.Header);
  }

  uint64_t adaptCycles() const {
    return Machine.hasCycleCounter()
               ? Opts.AdaptCycles.value_or(Machine.adaptCycles())
               : 0;
  }

  /// That counter may be an instruction-set simulator's. Who asks for the choice
  /// wants it there, too.
  PolicyCounters counters() const {
    bool Default = !Opts.AdaptCycles && Machine.mayCountInstructions();
    return {Default, Default && Opts.Scheduler != SchedulerKind::Static};
  }

  void build(TaskLoop &T, const LoopTagInfo &Tag,
             ArrayRef<CheckedLoop> Promised) {
    for (const CheckedLoop &Loop : Promised)
      reportPromises(Loop.T, Loop.Pragma, Loop.Accesses);
    if (Opts.Scheduler == SchedulerKind::Check) {
      for (auto [Loop, Accesses] : zip(Promised, Prepare.checkLoops(Promised)))
        reportChecked(F, Loop.Pragma, Accesses);
      return;
    }
    unsigned Tasks = taskCount(Tag);
    if (Opts.Scheduler != SchedulerKind::Static)
      Tasks = std::min(Tasks, MaxAmuId);
    reportLaunchLoads(T);
    ValueClasses Classes = {unsigned(T.Shared.size()),
                            unsigned(T.Sequential.size())};
    if (Opts.Scheduler != SchedulerKind::Static) {
      reportUpdates(T);
      if (T.Nested)
        Prepare.countNested(T);
      Prepare.stepProducts(T);
      T.Synchronizes = synchronizes(T);
      expandRemoteAtomics(T);
      Prepare.protectUpdates(T);
    }
    Prepare.planGroups(T, Tasks);
    if (reach(Stage::Grouped, T, Tag))
      return;
    Prepare.planRequests(T, Tasks);
    if (Opts.Scheduler == SchedulerKind::Static) {
      if (reach(Stage::Near, T, Tag))
        return;
      insertPrefetches(T);
      reportNear(F, Tag.Pragma, countNear(T), T.Groups.empty());
      if (T.Groups.empty()) {
        reach(Stage::Planned, T, Tag);
        return;
      }
      removeUndividedUpdates(T);
      reportUpdates(T);
      Prepare.protectUpdates(T);
      if (Opts.BranchlessSelects)
        selectWithoutBranches(T);
    }
    if (reach(Stage::Planned, T, Tag))
      return;
    Tasks = Scheduler::tasksWithRoom(Opts, Tasks, T.Groups);
    reportSuspensions(T);
    uint64_t AdaptCycles = adaptCycles();
    bool Adapts =
        AdaptCycles && addRunTimeChoice(T, Tasks, AdaptCycles, counters());
    if (Opts.Scheduler != SchedulerKind::Static) {
      countByProduct(T);
      multiplyNext(T);
      analyzeAnew(T);
      keepBranchWeights(T, FAM.getResult<BranchProbabilityAnalysis>(F));
      findKeptValues(T, FAM.getResult<LoopAnalysis>(F));
    }
    Labels Before = Opts.Verify ? labelsWithoutJump(F) : Labels();
    TaskStatistics Built = buildTasks(T, FAM, Opts, Tasks);
    Built.Adapts = Adapts;
    if (Opts.Verify)
      verifyTasks(F, Before);
    cleanUp(F);
    if (T.Nested && !Built.SharesInner)
      reportUnshared(F, T.Nested->Pragma,
                     Built.NotShared.Why +
                         placeInFile(Built.NotShared.Where, T.Nested->Pragma));
    reportSplit(F, Tag.Pragma, schedulerName(Opts.Scheduler), Classes, Built);
  }

  void cleanUp(Function &Changed) {
    simplifyTasks(Changed, FAM);
    if (Opts.usesAmu())
      computeEarly(Changed, FAM.getResult<BranchProbabilityAnalysis>(Changed));
    if (Opts.Count)
      addContextCounters(Changed);
  }
};

/// Adds \p F to \p Order, behind what calls it: a callee becomes part of its
/// caller's loop as the source has it, before its own loops become tasks.
void addCallersFirst(Function &F, SmallPtrSetImpl<Function *> &Seen,
                     SmallVectorImpl<Function *> &Order) {
  if (F.isDeclaration() || !Seen.insert(&F).second)
    return;
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      addCallersFirst(*Call->getFunction(), Seen, Order);
  Order.push_back(&F);
}

} // namespace

PreservedAnalyses AsyncSplitPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  const Options Opts = readOptions(M);
  LoopVerdicts Verdicts(Trial);
  bool Changed = Last != Stage::Prepared && removeStorePlaces(M);
  if (Opts.Scheduler != SchedulerKind::None) {
    const std::map<unsigned, Function *> Pinned = functionsWithPins(M);
    auto Split = [&](Function &F) {
      Changed |= FunctionSplitter(F, FAM, Opts, Last, Observer, Verdicts).run();
    };
    SmallPtrSet<Function *, 16> Seen;
    SmallVector<Function *, 16> Order;
    for (Function &F : M)
      addCallersFirst(F, Seen, Order);
    // Once a loop of a callee is taken apart, that can be part of no other one.
    for (Function *F : Order)
      Changed |= LoopPreparation(*F, FAM, Opts).prepareFunction();
    for (Function *F : Order)
      Split(*F);
    for (Function &Made : M)
      if (!Made.isDeclaration() && !Seen.contains(&Made))
        Split(Made);
    if (Last == Stage::Prepared)
      return PreservedAnalyses::none();
    Verdicts.refuseWithoutRemote();
    Verdicts.refuseLost(M, Pinned);
  }
  for (StringRef Name : {FreshFunction, PinFunction})
    if (Function *F = M.getFunction(Name)) {
      Changed = true;
      F->eraseFromParent();
    }
  for (StringRef Name : {RemoteFunction, PromisedFunction})
    if (Function *Mark = M.getFunction(Name)) {
      Changed = true;
      for (User *U : make_early_inc_range(Mark->users()))
        cast<Instruction>(U)->eraseFromParent();
      Mark->eraseFromParent();
    }
  Changed |= removeOptions(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
