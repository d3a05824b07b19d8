// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/PrivateMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

bool asyncmem::isLifetime(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic && Intrinsic->isLifetimeStartOrEnd();
}

bool asyncmem::isPrivateTo(const AllocaInst &A, const Loop &L) {
  return any_of(A.users(), [&](const User *U) {
    auto *Start = dyn_cast<IntrinsicInst>(U);
    return Start && Start->getIntrinsicID() == Intrinsic::lifetime_start &&
           L.contains(Start);
  });
}

Instruction *asyncmem::positionOf(Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  return Phi ? Phi->getIncomingBlock(U)->getTerminator() : User;
}

bool asyncmem::hasPlainUses(const Value *A) {
  for (const User *U : A->users()) {
    auto *I = cast<Instruction>(U);
    if (isa<GetElementPtrInst>(I)) {
      if (!hasPlainUses(I))
        return false;
      continue;
    }
    auto *Store = dyn_cast<StoreInst>(I);
    bool WritesTo = Store && Store->getValueOperand() != A;
    if (WritesTo || isa<LoadInst>(I) || isLifetime(*I) ||
        isa<AnyMemIntrinsic>(I))
      continue;
    return false;
  }
  return true;
}

void asyncmem::sinkAddresses(ArrayRef<AllocaInst *> Variables) {
  SmallVector<GetElementPtrInst *, 16> Work;
  auto AddGeps = [&](Value *V) {
    for (User *U : V->users())
      if (auto *Gep = dyn_cast<GetElementPtrInst>(U))
        Work.push_back(Gep);
  };
  for (AllocaInst *A : Variables)
    AddGeps(A);
  while (!Work.empty()) {
    GetElementPtrInst *Gep = Work.pop_back_val();
    for (Use &U : make_early_inc_range(Gep->uses())) {
      Instruction *Clone = Gep->clone();
      Clone->insertBefore(positionOf(U));
      U.set(Clone);
      AddGeps(Clone);
    }
    Gep->eraseFromParent();
  }
}
