// SPDX-License-Identifier: Apache-2.0

#include "frontend/HiddenBases.h"
#include "common/Calls.h"
#include "common/Names.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

/// \returns true if \p A is the same pointer in all of an iteration of \p L, which
/// only reads it: nothing has its address.
static bool isFixed(const AllocaInst &A, const Loop &L) {
  return all_of(A.users(), [&](const User *U) {
    auto *I = cast<Instruction>(U);
    auto *Load = dyn_cast<LoadInst>(I);
    if (L.contains(I) || Load)
      return Load && Load->isSimple() && Load->getType()->isPointerTy();
    auto *Store = dyn_cast<StoreInst>(I);
    return Store ? Store->getValueOperand() != &A
                 : I->isLifetimeStartOrEnd() || callsFunction(*I, MarkFunction);
  });
}

void asyncmem::hideBases(Loop &L) {
  SmallSetVector<AllocaInst *, 4> Variables;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (!callsFunction(I, RemoteFunction))
        continue;
      auto *Load = dyn_cast<LoadInst>(cast<CallBase>(I).getArgOperand(0));
      if (auto *A =
              Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr)
        Variables.insert(A);
    }
  for (AllocaInst *A : Variables) {
    if (!isFixed(*A, L))
      continue;
    SmallVector<LoadInst *, 8> Loads;
    for (User *U : A->users())
      if (auto *Load = dyn_cast<LoadInst>(U); Load && L.contains(Load))
        Loads.push_back(Load);
    IRBuilder<> B(&*L.getHeader()->getFirstInsertionPt());
    FunctionCallee Fresh = A->getModule()->getOrInsertFunction(
        FreshFunction, B.getPtrTy(), B.getPtrTy());
    Value *Base = B.CreateCall(Fresh, B.CreateLoad(B.getPtrTy(), A));
    for (LoadInst *Load : Loads) {
      Load->replaceAllUsesWith(Base);
      Load->eraseFromParent();
    }
  }
}

bool asyncmem::showBases(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (callsFunction(I, FreshFunction))
      Calls.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Calls) {
    Call->replaceAllUsesWith(Call->getArgOperand(0));
    Call->eraseFromParent();
  }
  return !Calls.empty();
}
