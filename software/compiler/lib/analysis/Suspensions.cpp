// SPDX-License-Identifier: Apache-2.0

#include "analysis/Suspensions.h"
#include "analysis/ForwardSlice.h"
#include "common/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace asyncmem;

Suspensions::Suspensions(const TaskLoop &T) : T(T) {
  for (const Instruction *Access : T.Remote)
    addSuccessors(Access->getParent());
}

bool Suspensions::mayPrecede(const Instruction &I) const {
  if (T.isRemote(&I) || Late.contains(I.getParent()))
    return true;
  for (const Instruction &Other : *I.getParent()) {
    if (&Other == &I)
      return false;
    if (T.isRemote(&Other))
      return true;
  }
  return false;
}

bool Suspensions::lieBetween(const LoadInst *From, const StoreInst *To) const {
  ForwardSlice Uses(T, *From);
  return Uses.mayDecide(*To, /*Remote=*/true) &&
         leads(From, To, !Uses.hasPhi());
}

/// \returns true if some path inside one iteration leads from \p From to
/// \p To over a remote access, and not again over \p From if \p Once.
bool Suspensions::leads(const Instruction *From, const Instruction *To,
                        bool Once) const {
  SmallPtrSet<const BasicBlock *, 16> Seen[2];
  // Remote accesses are suspensions themselves.
  SmallVector<std::pair<const Instruction *, bool>, 16> Work = {
      {From->getNextNode(), T.isRemote(From) || T.isRemote(To)}};
  while (!Work.empty()) {
    auto [I, Suspended] = Work.pop_back_val();
    for (; I; I = I->getNextNode()) {
      if (I == To && Suspended)
        return true;
      if (I == From && Once)
        break;
      Suspended |= T.isRemote(I) || isLock(*I);
      if (!I->isTerminator())
        continue;
      for (const BasicBlock *Next : successors(I->getParent()))
        if (Next != T.Header && T.L->contains(Next) &&
            Seen[Suspended].insert(Next).second)
          Work.push_back({&Next->front(), Suspended});
    }
  }
  return false;
}

void Suspensions::addSuccessors(const BasicBlock *BB) {
  for (const BasicBlock *Next : successors(BB))
    if (Next != T.Header && T.L->contains(Next) && Late.insert(Next).second)
      addSuccessors(Next);
}
