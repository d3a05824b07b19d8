// SPDX-License-Identifier: Apache-2.0

#include "tasks/Launch.h"
#include "analysis/IterationGraph.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

LoopExits::LoopExits(TaskLoop &T, Variables &Vars,
                     const DenseMap<Value *, AllocaInst *> &SharedVariable)
    : T(T), F(*T.Header->getParent()) {
  if (T.Exits.size() > 1)
    Taken = Vars.create(Type::getInt32Ty(F.getContext()), "exit");
  for (const ExitEdge &E : T.Exits) {
    auto &List = Values.emplace_back();
    for (PHINode &Phi : E.To->phis()) {
      Value *V = Phi.getIncomingValueForBlock(E.From);
      if (AllocaInst *Shared = SharedVariable.lookup(V)) {
        List.push_back({&Phi, V, Shared, LastValue::FromShared});
        continue;
      }
      List.push_back(
          {&Phi, V, Vars.create(V->getType(), "last"),
           isFromTask(T, V) ? LastValue::FromTask : LastValue::FromLaunch});
    }
  }
}

bool LoopExits::isFromTask(const TaskLoop &T, Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I && T.L->contains(I) && !T.Slice.contains(I) &&
         !is_contained(T.Sequential, I) &&
         none_of(T.Shared,
                 [&](const SharedUpdate &S) { return S.Chain.contains(I); });
}

void LoopExits::shareAtLaunch(unsigned Index, const Value *V,
                              AllocaInst *Variable) {
  for (LastValue &Last : Values[Index])
    if (Last.Source == LastValue::FromLaunch && Last.Value == V)
      Last.Variable = Variable;
}

void LoopExits::storeAtLaunch(IRBuilderBase &B, unsigned Index,
                              function_ref<Value *(Value *)> AtLaunch) {
  if (Taken)
    B.CreateStore(B.getInt32(Index), Taken);
  for (const LastValue &Last : Values[Index])
    if (Last.Source == LastValue::FromLaunch)
      B.CreateStore(AtLaunch(Last.Value), Last.Variable);
}

void LoopExits::redirect(BasicBlock *Return) {
  T.Latch->getTerminator()->replaceSuccessorWith(T.Header, Return);
  for (auto [E, List] : zip(T.Exits, Values)) {
    BasicBlock *Target = Return;
    for (const LastValue &Last : List) {
      if (Last.Source != LastValue::FromTask)
        continue;
      if (Target == Return) {
        Target = BasicBlock::Create(F.getContext(), "leave", &F, Return);
        BranchInst::Create(Return, Target);
        T.Blocks.push_back(Target);
      }
      IRBuilder<> B(Target->getTerminator());
      B.CreateStore(Last.Value, Last.Variable);
    }
    E.From->getTerminator()->replaceSuccessorWith(E.To, Target);
  }
  // What decided about the next iteration has no choice left.
  for (const ExitEdge &E : T.Exits) {
    Instruction *End = E.From->getTerminator();
    if (End->getNumSuccessors() > 1 && all_equal(successors(End)))
      ReplaceInstWithInst(End, BranchInst::Create(End->getSuccessor(0)));
  }
}

void LoopExits::emitFinalize(BasicBlock *Finalize) {
  IRBuilder<> B(Finalize);
  SwitchInst *Choice = nullptr;
  if (Taken) {
    BasicBlock *Never = BasicBlock::Create(F.getContext(), "", &F);
    new UnreachableInst(F.getContext(), Never);
    Choice = B.CreateSwitch(B.CreateLoad(B.getInt32Ty(), Taken), Never,
                            T.Exits.size());
  }
  for (unsigned Index = 0; Index != T.Exits.size(); ++Index) {
    BasicBlock *Leave = Finalize;
    if (Choice) {
      Leave = BasicBlock::Create(F.getContext(), "asyncmem.exit", &F);
      Choice->addCase(B.getInt32(Index), Leave);
      B.SetInsertPoint(Leave);
    }
    for (const LastValue &Last : Values[Index]) {
      int Old;
      while ((Old = Last.Phi->getBasicBlockIndex(T.Exits[Index].From)) >= 0)
        Last.Phi->removeIncomingValue(Old, /*DeletePHIIfEmpty=*/false);
      Last.Phi->addIncoming(B.CreateLoad(Last.Phi->getType(), Last.Variable),
                            Leave);
    }
    B.CreateBr(T.Exits[Index].To);
  }
}

void Launch::build() {
  IRBuilder<> Before(T.Preheader->getTerminator());
  IRBuilder<> B(Blocks.Launch);
  for (PHINode *Phi : T.Sequential) {
    AllocaInst *Next = Vars.create(Phi->getType(), Phi->getName() + ".next");
    Before.CreateStore(Phi->getIncomingValueForBlock(T.Preheader), Next);
    Map[Phi] = B.CreateLoad(Phi->getType(), Next);
    NextValue[Phi] = Next;
    if (T.leavesAtLatch())
      Exits.shareAtLaunch(0, Phi->getIncomingValueForBlock(T.Latch), Next);
  }
  chooseContinue();
  BasicBlock *Repeat =
      BasicBlock::Create(F.getContext(), "launch.repeat", &F, T.Header);
  copySlice(Repeat);
  emitRepeat(Repeat);
  for (LoadInst *Load : T.LaunchLoads) {
    auto *Copy = cast<Instruction>(&*Map[Load]);
    startTaskWith(Load, Copy, Copy);
    T.Slice.erase(Load);
    Load->eraseFromParent();
  }
  for (PHINode *Phi : T.Sequential) {
    auto *Now = cast<Instruction>(&*Map[Phi]);
    startTaskWith(Phi, Now, Now);
    Phi->eraseFromParent();
  }
}

/// The task starts with \p AtLaunch where the body has \p InBody.
void Launch::startTaskWith(Instruction *InBody, Value *AtLaunch,
                           Instruction *Behind) {
  AllocaInst *Mine =
      Vars.create(InBody->getType(), InBody->getName() + ".task");
  IRBuilder<>(Behind->getNextNode()).CreateStore(AtLaunch, Mine);
  IRBuilder<> B(T.Header, T.Header->getFirstInsertionPt());
  InBody->replaceAllUsesWith(B.CreateLoad(InBody->getType(), Mine));
}

/// Chooses how to ask whether another iteration follows.
void Launch::chooseContinue() {
  if (auto *Compare = dyn_cast_or_null<ICmpInst>(T.ContinueCondition))
    for (PHINode *Phi : T.Sequential)
      for (unsigned Side : {0, 1})
        if (Compare->getOperand(Side) ==
                Phi->getIncomingValueForBlock(T.Latch) &&
            T.L->isLoopInvariant(Compare->getOperand(1 - Side))) {
          auto Predicate =
              Side ? Compare->getSwappedPredicate() : Compare->getPredicate();
          Continue.Predicate = T.ContinueOnTrue
                                   ? Predicate
                                   : CmpInst::getInversePredicate(Predicate);
          Continue.Next = NextValue[Phi];
          Continue.Bound = Compare->getOperand(1 - Side);
          return;
        }
  MoreFlag = Vars.create(Type::getInt1Ty(F.getContext()), "more");
}

Value *Launch::more(IRBuilderBase &B, bool Rarely) {
  if (MoreFlag)
    return B.CreateLoad(B.getInt1Ty(), MoreFlag);
  Value *Next = B.CreateLoad(Continue.Next->getAllocatedType(), Continue.Next);
  // Hidden, so that the comparison stays in the block that is rarely run.
  if (Rarely)
    Next = keepInRegister(B, Next);
  return B.CreateICmp(Continue.Predicate, Next, Continue.Bound);
}

/// Copies the slice; a branch that is not part of it becomes a jump to the
/// block all its paths lead to. The next iteration continues at \p Repeat.
void Launch::copySlice(BasicBlock *Repeat) {
  IterationGraph Graph(T);
  SmallVector<BasicBlock *, 16> Copies;
  for (BasicBlock *BB : T.Blocks) {
    auto *Copy = BasicBlock::Create(F.getContext(), "launch", &F, T.Header);
    Map[BB] = Copy;
    Copies.push_back(Copy);
  }
  BranchInst::Create(Copies.front(), Blocks.Launch);
  auto TargetOf = [&](BasicBlock *From, BasicBlock *To) -> BasicBlock * {
    if (To == T.Header)
      return Repeat;
    if (T.L->contains(To))
      return cast<BasicBlock>(&*Map[To]);
    for (unsigned Index = 0; Index != T.Exits.size(); ++Index) {
      if (T.Exits[Index].From != From || T.Exits[Index].To != To)
        continue;
      auto *Leave =
          BasicBlock::Create(F.getContext(), "launch.last", &F, T.Header);
      IRBuilder<> B(Leave);
      Exits.storeAtLaunch(B, Index, [&](Value *V) { return atLaunch(V); });
      B.CreateStore(B.getFalse(), MoreFlag);
      B.CreateBr(T.Header);
      return Leave;
    }
    llvm_unreachable("every way out of the loop is an exit edge");
  };
  for (auto [BB, Copy] : zip(T.Blocks, Copies))
    for (Instruction &I : *BB)
      if (T.Slice.contains(&I) && !I.isTerminator()) {
        Instruction *New = I.clone();
        New->insertInto(Copy, Copy->end());
        Map[&I] = New;
      }
  for (auto [BB, Copy] : zip(T.Blocks, Copies)) {
    Instruction *End = BB->getTerminator();
    if (!T.Slice.contains(End)) {
      BasicBlock *Next = Graph.postDominator(BB);
      BranchInst::Create(Next ? TargetOf(BB, Next) : Repeat, Copy);
      continue;
    }
    Instruction *New = End->clone();
    New->insertInto(Copy, Copy->end());
    for (unsigned I = 0; I != New->getNumSuccessors(); ++I)
      New->setSuccessor(I, TargetOf(BB, End->getSuccessor(I)));
  }
  for (BasicBlock *Copy : Copies)
    for (Instruction &I : *Copy)
      RemapInstruction(&I, Map,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
}

/// The end of Launch when the loop goes on, or, if only the latch leaves it,
/// in any case.
void Launch::emitRepeat(BasicBlock *Repeat) {
  IRBuilder<> B(Repeat);
  for (PHINode *Phi : T.Sequential)
    B.CreateStore(atLaunch(Phi->getIncomingValueForBlock(T.Latch)),
                  NextValue[Phi]);
  if (T.leavesAtLatch())
    Exits.storeAtLaunch(B, 0, [&](Value *V) { return atLaunch(V); });
  if (MoreFlag) {
    Value *More = B.getTrue();
    if (T.leavesAtLatch()) {
      More = atLaunch(T.ContinueCondition);
      if (!T.ContinueOnTrue)
        More = B.CreateNot(More);
    }
    B.CreateStore(More, MoreFlag);
  }
  B.CreateBr(T.Header);
}
