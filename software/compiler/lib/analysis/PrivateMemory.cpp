// SPDX-License-Identifier: Apache-2.0

#include "analysis/PrivateMemory.h"
#include "analysis/Suspensions.h"
#include "common/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

/// Addresses computed from \p A before the loop are computed again inside.
static bool isUsedInside(const Value *A, const Loop &L) {
  return all_of(A->users(), [&](const User *U) {
    return L.contains(cast<Instruction>(U)) ||
           (isa<GetElementPtrInst>(U) && isUsedInside(U, L));
  });
}

/// \returns what one iteration of \p T hands the address of \p A on by, or null.
static const Instruction *joinedPast(const AllocaInst &A, const TaskLoop &T) {
  for (const PHINode &Phi : T.Header->phis()) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(&Phi, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
    if (Phi.getType()->isPointerTy() && is_contained(Objects, &A))
      return &Phi;
  }
  return nullptr;
}

/// \returns an address in \p A, joined of others, that \p T may keep while its task is
/// suspended, or null: the task's variables may be in another place then. Those that are
/// offsets of \p A alone are computed where they are used.
static const Instruction *keptOver(AllocaInst &A, const TaskLoop &T) {
  SmallSetVector<Value *, 8> Offsets, Joined;
  Offsets.insert(&A);
  for (unsigned N = 0; N != Offsets.size(); ++N)
    for (User *U : Offsets[N]->users())
      if (isa<GetElementPtrInst>(U))
        Offsets.insert(U);
      else if (isa<PHINode, SelectInst>(U))
        Joined.insert(U);
  const Suspensions Suspended(T);
  for (unsigned N = 0; N != Joined.size(); ++N)
    for (Use &U : Joined[N]->uses()) {
      auto *Address = cast<Instruction>(Joined[N]);
      if (Suspended.separate(*Address, *positionOf(U)))
        return Address;
      if (isa<GetElementPtrInst, PHINode, SelectInst>(U.getUser()))
        Joined.insert(U.getUser());
    }
  return nullptr;
}

bool asyncmem::collectPrivateMemory(TaskLoop &T, Refusal &No) {
  uint64_t Bytes = 0;
  for (Instruction &I : instructions(*T.Header->getParent())) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A)
      continue;
    if (T.L->contains(A))
      return refuse(No, "it allocates stack memory of variable size", A);
    if (!isPrivateTo(*A, *T.L))
      continue;
    const Instruction *Escape =
        escapingUse(A, /*MayCall=*/true, /*MayJoin=*/true);
    if (!Escape)
      Escape = joinedPast(*A, T);
    if (Escape || !isUsedInside(A, *T.L) || !A->isStaticAlloca())
      return refuse(No,
                    "the address of a variable of the loop body is used "
                    "where it cannot follow the task",
                    Escape ? Escape : A);
    if (const Instruction *Kept = keptOver(*A, T))
      return refuse(No,
                    "a pointer into a variable of the loop body is kept while "
                    "the task may wait; use an index",
                    Kept);
    T.PrivateMemory.push_back(A);
    Bytes +=
        A->getAllocationSize(A->getModule()->getDataLayout())->getFixedValue();
    if (Bytes > MaxPrivateBytes)
      return refuse(No,
                    "the variables of the loop body need more than " +
                        Twine(MaxPrivateBytes) + " bytes for each task",
                    A);
  }
  return true;
}

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

/// \returns true if whatever \p V joins is an address in the variable \p A.
static bool isInVariable(const Value *V, const Value *A) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(V, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return all_of(Objects, [&](const Value *Object) { return Object == A; });
}

/// \returns true if \p I, which uses an address in the variable \p A, is another one or
/// a comparison. No pointer of elsewhere is equal to it.
static bool joinsOrCompares(const Instruction &I, const Value *A) {
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return Compare->isEquality() || all_of(I.operands(), [&](const Use &Op) {
             return isInVariable(Op, A);
           });
  auto *Phi = dyn_cast<PHINode>(&I);
  SmallPtrSet<const BasicBlock *, 4> From;
  if (Phi)
    From.insert(Phi->block_begin(), Phi->block_end());
  return (isa<SelectInst>(I) ||
          (Phi && From.size() == Phi->getNumIncomingValues())) &&
         isInVariable(&I, A);
}

const Instruction *asyncmem::escapingUse(const Value *A, bool MayCall,
                                         bool MayJoin) {
  SmallSetVector<const Value *, 8> Addresses;
  Addresses.insert(A);
  for (unsigned N = 0; N != Addresses.size(); ++N)
    for (const Use &U : Addresses[N]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *Store = dyn_cast<StoreInst>(I);
      bool WritesTo = Store && Store->getValueOperand() != Addresses[N];
      if (isa<GetElementPtrInst>(I) || (MayJoin && joinsOrCompares(*I, A))) {
        if (I->getType()->isPointerTy())
          Addresses.insert(I);
      } else if (!WritesTo && !isa<LoadInst>(I) && !isLifetime(*I) &&
                 !isa<AnyMemIntrinsic>(I) && !(MayCall && isUsedByCallee(U))) {
        return positionOf(const_cast<Use &>(U));
      }
    }
  return nullptr;
}

bool asyncmem::isPrivate(const TaskLoop &T, const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return all_of(Objects, [&](const Value *Object) {
    return is_contained(T.PrivateMemory, Object);
  });
}
