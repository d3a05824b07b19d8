// SPDX-License-Identifier: Apache-2.0
// Variables in memory that each task of a loop has for itself.
//
// Algorithm: a variable whose life starts in the loop is the task's own, unless some
// address of it escapes from loads, stores, fills and comparisons. Addresses in one
// variable may be joined, but not kept while the task waits, as its frame may move.
//
//   for (i) { int v[4]; f(v[x[i]]); }   v has a copy in each task's frame

#include "analysis/Analyses.h"
#include "analysis/Suspensions.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

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
  for (const PHINode &Phi : T.Header->phis())
    if (Phi.getType()->isPointerTy() &&
        is_contained(underlyingObjects(&Phi), &A))
      return &Phi;
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

/// \returns a use of \p A in the loop that has a place in the source, else \p A.
static const Instruction *firstUse(const AllocaInst &A, const TaskLoop &T) {
  for (const User *U : A.users())
    if (auto *I = dyn_cast<Instruction>(U);
        I && T.L->contains(I) && I->getDebugLoc())
      return I;
  return &A;
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
                    "where it cannot follow the task; use its value",
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
                        Twine(MaxPrivateBytes) +
                        " bytes for each task; use the heap",
                    firstUse(*A, T));
  }
  return true;
}

bool asyncmem::isPrivate(const TaskLoop &T, const Value *Pointer) {
  return all_of(underlyingObjects(Pointer), [&](const Value *Object) {
    return is_contained(T.PrivateMemory, Object);
  });
}
