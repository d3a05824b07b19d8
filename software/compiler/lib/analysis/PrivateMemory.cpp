// SPDX-License-Identifier: Apache-2.0

#include "analysis/PrivateMemory.h"
#include "common/Names.h"
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

/// \returns true if \p U hands an address to a callee that reads there, or is the
/// plain function of a recursion, and is over before the task is suspended.
static bool isUsedByCallee(const Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  if (!Call || !Call->isArgOperand(&U) ||
      !(Call->onlyReadsMemory() || Call->hasMetadata(PlainCallTag)))
    return false;
  unsigned Number = Call->getArgOperandNo(&U);
  return Call->doesNotCapture(Number) || Call->isByValArgument(Number);
}

const Instruction *asyncmem::escapingUse(const Value *A, bool MayCall) {
  for (const Use &U : A->uses()) {
    auto *I = cast<Instruction>(U.getUser());
    if (isa<GetElementPtrInst>(I)) {
      if (const Instruction *Escape = escapingUse(I, MayCall))
        return Escape;
      continue;
    }
    auto *Store = dyn_cast<StoreInst>(I);
    bool WritesTo = Store && Store->getValueOperand() != A;
    if (WritesTo || isa<LoadInst>(I) || isLifetime(*I) ||
        isa<AnyMemIntrinsic>(I) || (MayCall && isUsedByCallee(U)))
      continue;
    return positionOf(const_cast<Use &>(U));
  }
  return nullptr;
}
