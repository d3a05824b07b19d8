// SPDX-License-Identifier: Apache-2.0

#include "tasks/LoopExits.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

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
