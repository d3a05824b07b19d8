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

#include "asyncmem/TaskBuilder.h"
#include "asyncmem/Frame.h"
#include "asyncmem/Names.h"
#include "asyncmem/Scheduler.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class TaskBuilder {
public:
  TaskBuilder(TaskLoop &T, const Options &Opts, unsigned Tasks)
      : T(T), Opts(Opts), Tasks(Tasks), F(*T.Header->getParent()), Vars(F) {}

  TaskStatistics build() {
    DebugLoc Loc = T.L->getStartLoc();
    createBlocks();
    buildLaunch();
    detachBody();
    makeSharedUpdates();
    removeDeadCode();

    auto Sched = Scheduler::create(Opts, Tasks, F, Blocks, Vars, T.Groups);
    splitAtAccesses(*Sched);
    Frame Context(F, T.Blocks, Suspensions, T.PrivateMemory,
                  Sched->headerBytes(Suspensions.size()));
    Context.sinkPrivateAddresses();
    if (Opts.MinimalContext)
      Context.rematerialize();
    Context.layout();
    Sched->allocateFrames(Context);
    Context.emit(Vars,
                 [&](IRBuilderBase &B) { return Sched->frame(B); });
    Sched->emit(Suspensions, [&](IRBuilderBase &B, bool Rarely) {
      return more(B, Rarely);
    });
    buildFinalize();
    setMissingLocations(Loc);
    promote();
    Statistics.Tasks = Tasks;
    Statistics.Suspensions = Suspensions.size();
    Statistics.FrameBytes = Sched->frameStride(Context.size());
    Statistics.PrivateValues = Context.valueCount();
    return Statistics;
  }

private:
  TaskLoop &T;
  const Options &Opts;
  unsigned Tasks;
  Function &F;
  Variables Vars;
  TaskBlocks Blocks;
  SmallVector<Suspension, 8> Suspensions;
  TaskStatistics Statistics;
  /// Next value of each sequential phi, and its value in the running task.
  DenseMap<PHINode *, AllocaInst *> NextValue, TaskValue;
  /// Value that each phi of the exit block takes from the loop.
  DenseMap<PHINode *, AllocaInst *> LastValue;
  SmallVector<AllocaInst *, 4> SharedVariable;
  /// "Next compared with Bound" tells whether another iteration follows; if
  /// the end condition has another form, a flag that Launch sets tells it.
  struct {
    CmpInst::Predicate Predicate;
    AllocaInst *Next = nullptr;
    Value *Bound = nullptr;
  } Continue;
  AllocaInst *MoreFlag = nullptr;

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

  /// Chooses how to ask whether another iteration follows.
  void chooseContinue() {
    if (auto *Compare = dyn_cast<ICmpInst>(T.ContinueCondition))
      for (PHINode *Phi : T.Sequential)
        for (unsigned Side : {0, 1})
          if (Compare->getOperand(Side) ==
                  Phi->getIncomingValueForBlock(T.Latch) &&
              T.L->isLoopInvariant(Compare->getOperand(1 - Side))) {
            auto Predicate = Side ? Compare->getSwappedPredicate()
                                  : Compare->getPredicate();
            Continue.Predicate =
                T.ContinueOnTrue ? Predicate
                                 : CmpInst::getInversePredicate(Predicate);
            Continue.Next = NextValue[Phi];
            Continue.Bound = Compare->getOperand(1 - Side);
            return;
          }
    MoreFlag = Vars.create(Type::getInt1Ty(F.getContext()), "more");
  }

  Value *more(IRBuilderBase &B, bool Rarely) {
    if (MoreFlag)
      return B.CreateLoad(B.getInt1Ty(), MoreFlag);
    Value *Next =
        B.CreateLoad(Continue.Next->getAllocatedType(), Continue.Next);
    // Hidden, so that the comparison stays in the block that is rarely run.
    if (Rarely)
      Next = keepInRegister(B, Next);
    return B.CreateICmp(Continue.Predicate, Next, Continue.Bound);
  }

  /// Launch computes, from the sequential values of this iteration, those of
  /// the next one, and whether there is a next one.
  void buildLaunch() {
    IRBuilder<> Before(T.Preheader->getTerminator());
    IRBuilder<> B(Blocks.Launch);
    ValueToValueMapTy Map;
    for (PHINode *Phi : T.Sequential) {
      AllocaInst *Next = Vars.create(Phi->getType(), Phi->getName() + ".next");
      AllocaInst *Mine = Vars.create(Phi->getType(), Phi->getName() + ".task");
      Before.CreateStore(Phi->getIncomingValueForBlock(T.Preheader), Next);
      Value *Now = B.CreateLoad(Phi->getType(), Next);
      B.CreateStore(Now, Mine);
      Map[Phi] = Now;
      NextValue[Phi] = Next;
      TaskValue[Phi] = Mine;
    }
    for (Instruction *I : T.Slice) {
      Instruction *Copy = B.Insert(I->clone());
      RemapInstruction(Copy, Map,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      Map[I] = Copy;
    }
    auto AtLaunch = [&](Value *V) -> Value * {
      Value *Mapped = Map.lookup(V);
      return Mapped ? Mapped : V;
    };
    for (PHINode *Phi : T.Sequential)
      B.CreateStore(AtLaunch(Phi->getIncomingValueForBlock(T.Latch)),
                    NextValue[Phi]);
    chooseContinue();
    if (MoreFlag) {
      Value *Condition = AtLaunch(T.ContinueCondition);
      B.CreateStore(T.ContinueOnTrue ? Condition : B.CreateNot(Condition),
                    MoreFlag);
    }
    for (PHINode &Phi : T.Exit->phis()) {
      Value *Last = Phi.getIncomingValueForBlock(T.Latch);
      if (!Map.count(Last))
        continue;
      AllocaInst *Variable = Vars.create(Phi.getType(), "last");
      B.CreateStore(Map[Last], Variable);
      LastValue[&Phi] = Variable;
    }
    B.CreateBr(T.Header);
  }

  /// The body becomes the code of one task: entered from Launch, left to
  /// Return.
  void detachBody() {
    for (SharedUpdate &S : T.Shared) {
      AllocaInst *Variable = Vars.create(S.Phi->getType(), "shared");
      IRBuilder<>(T.Preheader->getTerminator())
          .CreateStore(S.Phi->getIncomingValueForBlock(T.Preheader), Variable);
      SharedVariable.push_back(Variable);
      for (PHINode &Phi : T.Exit->phis())
        if (Phi.getIncomingValueForBlock(T.Latch) ==
            S.Phi->getIncomingValueForBlock(T.Latch))
          LastValue[&Phi] = Variable;
    }
    T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Blocks.Init);
    Instruction *End = T.Latch->getTerminator();
    BranchInst::Create(Blocks.Return, End)->setDebugLoc(End->getDebugLoc());
    End->eraseFromParent();
    for (PHINode *Phi : T.Sequential) {
      IRBuilder<> B(T.Header, T.Header->getFirstInsertionPt());
      Phi->replaceAllUsesWith(B.CreateLoad(Phi->getType(), TaskValue[Phi]));
      Phi->eraseFromParent();
    }
  }

  /// Every update reads and writes the shared variable where it stands, with
  /// no suspension in between; the phis of the chain are no longer needed.
  void makeSharedUpdates() {
    for (auto [S, Variable] : zip(T.Shared, SharedVariable)) {
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

  /// Removes what only the old loop control used, and the remote marks: their
  /// operands would be kept in the context for nothing.
  void removeDeadCode() {
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : make_early_inc_range(*BB))
        if (isRemoteMark(I))
          I.eraseFromParent();
    SmallVector<WeakTrackingVH, 16> Dead;
    for (Instruction *I : T.Slice)
      if (isInstructionTriviallyDead(I))
        Dead.push_back(I);
    RecursivelyDeleteTriviallyDeadInstructions(Dead);
  }

  void splitAtAccesses(Scheduler &Sched) {
    for (const AccessGroup &Group : T.Groups) {
      Instruction *First = Group.accesses().front();
      BasicBlock *Before = First->getParent();
      BasicBlock *After = SplitBlock(Before, First);
      After->setName("resume");
      T.Blocks.insert(std::next(find(T.Blocks, Before)), After);
      Suspensions.push_back({Before, After});
    }
    for (auto [Group, S] : zip(T.Groups, Suspensions)) {
      Statistics.Requests += Group.Requests.size();
      Statistics.Accesses += Group.accessCount();
      Sched.issue(Group, S);
    }
  }

  void buildFinalize() {
    IRBuilder<> B(Blocks.Finalize);
    for (PHINode &Phi : T.Exit->phis()) {
      if (AllocaInst *Variable = LastValue.lookup(&Phi))
        Phi.setIncomingValueForBlock(T.Latch,
                                     B.CreateLoad(Phi.getType(), Variable));
      Phi.replaceIncomingBlockWith(T.Latch, Blocks.Finalize);
    }
    B.CreateBr(T.Exit);
  }

  void setMissingLocations(const DebugLoc &Loc) {
    if (!Loc || !F.getSubprogram())
      return;
    for (Instruction &I : instructions(F))
      if (!I.getDebugLoc() && !isa<AllocaInst, PHINode>(I))
        I.setDebugLoc(Loc);
  }

  /// Variables become SSA values.
  void promote() {
    DominatorTree DT(F);
    PromoteMemToReg(Vars.all(), DT);
  }
};

} // namespace

TaskStatistics asyncmem::buildTasks(TaskLoop &T, const Options &Opts,
                                    unsigned Tasks) {
  return TaskBuilder(T, Opts, Tasks).build();
}
