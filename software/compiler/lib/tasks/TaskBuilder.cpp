// SPDX-License-Identifier: Apache-2.0
// Loop to tasks, all inside its function:
//
//   preheader -> Init -> Launch -> body ... suspension -> Schedule -> body ...
//                          ^                                  |
//                          +---- Return <---- end of body <---+
//                                  |
//                               Finalize -> exit
//
// Values that change hands between these parts are variables in memory while
// the control flow is rebuilt, and SSA values again at the end.

#include "tasks/TaskBuilder.h"
#include "common/Instructions.h"
#include "common/Machine.h"
#include "common/Names.h"
#include "tasks/DebugValues.h"
#include "tasks/Frame.h"
#include "tasks/Launch.h"
#include "tasks/SlotReads.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

// Tasks make updates in another order than the loop: what the source says of the
// values in between (no overflow, no infinity) need not hold then.

/// Collects in \p Operations what leads from a load of the place of \p Store to the
/// value that it writes. \returns true if such a load is met.
static bool collectUpdate(Value *V, const StoreInst &Store,
                          SmallPtrSetImpl<const Value *> &Seen,
                          SmallSetVector<Instruction *, 4> &Operations) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Seen.insert(I).second)
    return I && Operations.contains(I);
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->getPointerOperand() == Store.getPointerOperand();
  if (!isa<BinaryOperator, CastInst, PHINode, SelectInst>(I))
    return false;
  bool Updates = false;
  for (Value *Operand : I->operands())
    Updates |= collectUpdate(Operand, Store, Seen, Operations);
  if (Updates)
    Operations.insert(I);
  return Updates;
}

/// Updates of shared variables and of words in memory lose the flags by which a
/// value in between would be poison.
static void forgetOrder(const TaskLoop &T) {
  for (const SharedUpdate &S : T.Shared)
    for (Instruction *Update : S.Updates)
      Update->dropPoisonGeneratingFlags();
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (auto *Store = dyn_cast<StoreInst>(&I)) {
        SmallPtrSet<const Value *, 8> Seen;
        SmallSetVector<Instruction *, 4> Operations;
        collectUpdate(Store->getValueOperand(), *Store, Seen, Operations);
        for (Instruction *Operation : Operations)
          Operation->dropPoisonGeneratingFlags();
      }
}

namespace {

/// As long as one lives every block of a function has an end: LLVM's analyses go from
/// block to block, and read what follows an empty one.
class ClosedBlocks {
public:
  explicit ClosedBlocks(Function &F) {
    for (BasicBlock &BB : F)
      if (!BB.getTerminator())
        Ends.push_back(BranchInst::Create(&BB, &BB));
  }
  ~ClosedBlocks() {
    for (BranchInst *End : Ends)
      End->eraseFromParent();
  }
  ClosedBlocks(const ClosedBlocks &) = delete;
  ClosedBlocks &operator=(const ClosedBlocks &) = delete;

private:
  SmallVector<BranchInst *, 8> Ends;
};

class TaskBuilder {
public:
  TaskBuilder(TaskLoop &T, FunctionAnalysisManager &FAM, const Options &Opts,
              unsigned Tasks)
      : T(T), FAM(FAM), Opts(Opts), Tasks(Tasks), F(*T.Header->getParent()),
        Vars(F) {}

  TaskStatistics build() {
    assert(!T.Groups.empty() && "no task would ever wait");
    DebugLoc Loc = T.L->getStartLoc();
    CodeParts Parts(F, Loc);
    for (BasicBlock &BB : F)
      Before.insert(&BB);
    createBlocks();
    createSharedVariables();
    LoopExits Exits(T, Vars, SharedVariable);
    Launch Start(T, Blocks, Vars, Exits);
    Start.build();
    T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Blocks.Init);
    Exits.redirect(Blocks.Return);
    Exits.emitFinalize(Blocks.Finalize);
    forgetOrder(T);
    makeSharedUpdates();
    removeDeadCode();
    auto More = [&](IRBuilderBase &B, bool Rarely) {
      return Start.more(B, Rarely);
    };
    {
      const ClosedBlocks Closed(F);
      createStrips(T);
      compareRows(T);
      runStrips(T);
    }
    holdLocks();

    auto Sched = Opts.Scheduler == SchedulerKind::Static
                     ? createStaticScheduler(Tasks, F, Blocks, Vars)
                     : createAmuScheduler(Opts, Tasks, F, Blocks, Vars,
                                          slotBytes(T.Groups));
    Statistics.Accesses = readRecords(T, *Sched);
    splitAtLocks(*Sched);
    splitAtAccesses(*Sched, More);
    Frame Context(F, T.Blocks, Suspensions, T.PrivateMemory,
                  Sched->headerBytes(Suspensions.size()), Opts.FreshFrames);
    Context.sinkPrivateAddresses();
    if (Opts.MinimalContext)
      Context.rematerialize();
    Context.layout();
    Sched->allocateFrames(Context.size(), Context.alignment());
    Context.emit(
        Vars, [&](IRBuilderBase &B) { return Sched->frame(B); }, Parts.Context);
    for (auto [S, Frequency] : zip(Suspensions, Context.frequencies())) {
      S.Frequency = Frequency;
      S.Before->getTerminator()->setDebugLoc(Parts.Scheduler);
    }
    Sched->emit(Suspensions, More);
    setMissingLocations(Loc, Parts.Scheduler);
    promote();
    Statistics.Tasks = Tasks;
    Statistics.Suspensions = Suspensions.size();
    Statistics.FrameBytes = Sched->frameStride(Context.size());
    Statistics.PrivateValues = Context.valueCount();
    return Statistics;
  }

private:
  TaskLoop &T;
  FunctionAnalysisManager &FAM;
  const Options &Opts;
  unsigned Tasks;
  Function &F;
  Variables Vars;
  TaskBlocks Blocks;
  SmallVector<Suspension, 8> Suspensions;
  /// The function's blocks before the loop was taken apart.
  SmallPtrSet<BasicBlock *, 32> Before;
  /// Every value of a shared chain to the chain's variable.
  DenseMap<Value *, AllocaInst *> SharedVariable;
  TaskStatistics Statistics;

  void createBlocks() {
    auto NewBlock = [&](const Twine &Name) {
      return BasicBlock::Create(F.getContext(), "asyncmem." + Name, &F,
                                T.Header);
    };
    Blocks.Init = NewBlock("init");
    Blocks.Launch = NewBlock("launch");
    Blocks.Schedule = NewBlock("schedule");
    Blocks.Return = NewBlock("return");
    Blocks.Finalize = NewBlock("finalize");
    Blocks.Body = &T.Blocks;
  }

  /// A variable for each shared value, set before the loop.
  void createSharedVariables() {
    for (SharedUpdate &S : T.Shared) {
      AllocaInst *Variable = Vars.create(S.Phi->getType(), "shared");
      IRBuilder<>(T.Preheader->getTerminator())
          .CreateStore(S.Phi->getIncomingValueForBlock(T.Preheader), Variable);
      for (Instruction *I : S.Chain)
        SharedVariable[I] = Variable;
    }
  }

  /// Every update reads and writes the shared variable where it stands, with
  /// no suspension in between; the phis of the chain are no longer needed.
  void makeSharedUpdates() {
    for (SharedUpdate &S : T.Shared) {
      AllocaInst *Variable = SharedVariable.lookup(S.Phi);
      declareVariable(*Variable, S.Chain.getArrayRef());
      for (Instruction *Update : S.Updates) {
        IRBuilder<> B(Update);
        Value *Old = B.CreateLoad(Update->getType(), Variable);
        for (Use &Op : Update->operands())
          if (auto *I = dyn_cast<Instruction>(Op); I && S.Chain.contains(I))
            Op.set(Old);
        B.SetInsertPoint(Update->getNextNode());
        B.CreateStore(Update, Variable);
      }
      for (Instruction *I : S.Chain)
        if (isa<PHINode>(I)) {
          I->replaceAllUsesWith(PoisonValue::get(I->getType()));
          I->eraseFromParent();
        }
    }
  }

  /// Removes what only the old loop control used. Where tasks wait is decided,
  /// so a remote load stays.
  void removeDeadCode() {
    setRemoteLoadsVolatile(true);
    removeDeadInstructions(T);
    setRemoteLoadsVolatile(false);
  }

  void setRemoteLoadsVolatile(bool Volatile) {
    for (const AccessGroup &Group : T.Groups)
      for (Instruction *Access : Group.accesses())
        if (auto *Load = dyn_cast<LoadInst>(Access))
          Load->setVolatile(Volatile);
  }

  /// A lock that carried stores are under is released behind the group that
  /// completes them: by the first accesses of the next iteration.
  void holdLocks() {
    AllocaInst *Held = nullptr;
    for (AccessGroup &Group : T.Groups)
      if (Group.Release) {
        if (!Held)
          Held = releaseLater(Group.Release->getCalledFunction());
        Group.Locked = Held;
        Group.HeldLock = Group.Release->getArgOperand(0);
      }
  }

  /// \returns a variable for the lock that the iteration before has left to this
  /// one, null if it has none.
  AllocaInst *releaseLater(Function *Unlock) {
    auto *Pointer = PointerType::getUnqual(F.getContext());
    auto *None = ConstantPointerNull::get(Pointer);
    AllocaInst *Held = Vars.create(Pointer, "held");
    IRBuilder<>(Blocks.Init).CreateStore(None, Held);
    IRBuilder<> B(T.Header, T.Header->getFirstInsertionPt());
    Value *Lock = B.CreateLoad(Pointer, Held);
    B.CreateStore(None, Held);

    Instruction *Last = T.Groups.front().accesses().back();
    Instruction *Position = Last->getNextNode();
    BasicBlock *Head = Position->getParent();
    B.SetInsertPoint(Position);
    Instruction *Then = SplitBlockAndInsertIfThen(
        B.CreateIsNotNull(Lock), Position, /*Unreachable=*/false);
    T.addBlocks(Head, {Then->getParent(), Position->getParent()});
    CallInst::Create(Unlock, {Lock}, "", Then)
        ->setDebugLoc(Last->getDebugLoc());
    return Held;
  }

  void splitAtAccesses(Scheduler &Sched, const Scheduler::Condition &More) {
    unsigned Locks = Suspensions.size();
    for (const AccessGroup &Group : T.Groups) {
      Instruction *First = Group.accesses().front();
      BasicBlock *Before = First->getParent();
      BasicBlock *After = SplitBlock(Before, First);
      After->setName("resume");
      T.addBlocks(Before, After);
      Suspensions.push_back({Before, After});
    }
    for (auto [Group, S] : zip(T.Groups, drop_begin(Suspensions, Locks))) {
      Statistics.Requests += Group.Requests.size();
      Statistics.Accesses += Group.accessCount();
      Sched.issue(Group, S, More);
    }
    Statistics.Coalesced = Statistics.Accesses - T.Groups.size();
  }

  void splitAtLocks(Scheduler &Sched) {
    SmallVector<CallInst *, 8> Locks, Unlocks;
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB) {
        if (isLock(I))
          Locks.push_back(cast<CallInst>(&I));
        else if (isUnlock(I))
          Unlocks.push_back(cast<CallInst>(&I));
      }
    for (CallInst *Call : Locks)
      Suspensions.push_back(Sched.lock(Call));
    for (CallInst *Call : Unlocks)
      Sched.unlock(Call);
  }

  /// New code without a location: in the tasks and before them it is the loop's,
  /// in other new blocks the scheduler's.
  void setMissingLocations(const DebugLoc &Loop, const DebugLoc &Scheduler) {
    if (!Loop || !F.getSubprogram())
      return;
    Before.insert(T.Blocks.begin(), T.Blocks.end());
    for (BasicBlock &BB : F)
      for (Instruction &I : BB)
        if (!I.getDebugLoc() && !isa<AllocaInst, PHINode>(I))
          I.setDebugLoc(Before.contains(&BB) ? Loop : Scheduler);
  }

  /// Variables become SSA values.
  void promote() {
    FAM.invalidate(F, PreservedAnalyses::none());
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    PromoteMemToReg(Vars.all(), DT);
    finishDebugValues(T.Blocks, DT);
  }
};

} // namespace

TaskStatistics asyncmem::buildTasks(TaskLoop &T, FunctionAnalysisManager &FAM,
                                    const Options &Opts, unsigned Tasks) {
  return TaskBuilder(T, FAM, Opts, Tasks).build();
}
