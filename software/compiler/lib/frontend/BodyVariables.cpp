// SPDX-License-Identifier: Apache-2.0

#include "frontend/BodyVariables.h"
#include "frontend/Clauses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

/// \returns true if only iterations of \p L, or ways out of them, use \p A, none
/// in a condition that is copied in front of the loop, and nothing says where the
/// life of \p A starts.
static bool
isBodyVariable(const AllocaInst &A, const Loop &L, const DominatorTree &DT,
               const SmallPtrSetImpl<const Instruction *> &Started) {
  const BasicBlock *Header = L.getHeader();
  bool IsCopied = startOfBody(L) != Header;
  auto IsInside = [&](const User *U) {
    return L.contains(cast<Instruction>(U));
  };
  return A.isStaticAlloca() && !isAllocaPromotable(&A) &&
         any_of(A.users(), IsInside) && all_of(A.users(), [&](const User *U) {
           auto *I = cast<Instruction>(U);
           auto *Intrinsic = dyn_cast<IntrinsicInst>(I);
           bool Lives = Intrinsic && Intrinsic->isLifetimeStartOrEnd();
           bool InHeader = IsCopied && I->getParent() == Header;
           return Started.contains(I) ||
                  (!Lives && !InHeader && DT.dominates(Header, I->getParent()));
         });
}

bool asyncmem::startBodyVariables(
    Loop &L, const DominatorTree &DT, bool May,
    SmallPtrSetImpl<const Instruction *> &Started) {
  SmallVector<AllocaInst *, 8> Variables;
  for (Instruction &I : L.getHeader()->getParent()->getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (isBodyVariable(*A, L, DT, Started))
        Variables.push_back(A);
  if (!May)
    return Variables.empty();
  for (AllocaInst *A : Variables)
    Started.insert(startLife(A, nullptr, L));
  return true;
}
