// SPDX-License-Identifier: Apache-2.0

#include "analysis/Suspensions.h"
#include "common/BlockWalk.h"
#include "common/Calls.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

/// \returns true if \p I reads \p Object, or it may.
static bool mayRead(const Instruction &I, const Value &Object) {
  auto *Copy = dyn_cast<AnyMemTransferInst>(&I);
  const Value *Read =
      Copy ? Copy->getRawSource() : getLoadStorePointerOperand(&I);
  if (!Read || !isIdentifiedObject(&Object))
    return true;
  Read = getUnderlyingObject(Read);
  return Read == &Object || !isIdentifiedObject(Read);
}

Suspensions::Suspensions(const TaskLoop &T) : T(T) {
  for (const BasicBlock *BB : T.Blocks)
    if (any_of(*BB, [&](const Instruction &I) { return suspends(I); })) {
      const auto Behind = iterationBehind(BB, *T.L);
      Late.insert(Behind.begin(), Behind.end());
    }
}

bool Suspensions::suspends(const Instruction &I) const {
  return T.isRemote(&I) || isLock(I);
}

bool Suspensions::mayPrecede(const Instruction &I) const {
  if (T.isRemote(&I) || Late.contains(I.getParent()))
    return true;
  for (const Instruction &Other : *I.getParent()) {
    if (&Other == &I)
      return false;
    if (suspends(Other))
      return true;
  }
  return false;
}

bool Suspensions::lieBetween(const Instruction &From, const Instruction &To,
                             Flow Through) const {
  return &From != &To && mayUse(From, To, Through) &&
         leads(&From, &To, !ForwardSlice(T, From).outlivesNext(),
               /*Over=*/true);
}

bool Suspensions::mayUse(const Instruction &From, const Instruction &To,
                         Flow Through) const {
  auto *Copy = dyn_cast<AnyMemTransferInst>(&From);
  if (!Copy)
    return ForwardSlice(T, From).mayDecide(To, Through);
  const Value *Taken = getUnderlyingObject(Copy->getRawDest());
  return any_of(T.Blocks, [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) {
      return &I != &From && I.mayReadFromMemory() && mayRead(I, *Taken) &&
             (&I == &To || !isa<LoadInst>(I) || mayUse(I, To, Through));
    });
  });
}

bool Suspensions::separate(const Instruction &From,
                           const Instruction &To) const {
  return leads(&From, &To, /*Once=*/false, /*Over=*/true);
}

bool Suspensions::join(const Instruction &From, const Instruction &To) const {
  return leads(&From, &To, /*Once=*/false, /*Over=*/false);
}

/// \returns true if some path inside one iteration leads from \p From to
/// \p To, over a suspension or over none, and not again over \p From if \p Once.
bool Suspensions::leads(const Instruction *From, const Instruction *To,
                        bool Once, bool Over) const {
  SmallPtrSet<const BasicBlock *, 16> Seen[2];
  // Remote accesses are suspensions themselves.
  SmallVector<std::pair<const Instruction *, bool>, 16> Work = {
      {From->getNextNode(), T.isRemote(From) || T.isRemote(To)}};
  while (!Work.empty()) {
    auto [I, Suspended] = Work.pop_back_val();
    for (; I; I = I->getNextNode()) {
      if (I == To && Suspended == Over)
        return true;
      if (I == From && Once)
        break;
      Suspended |= suspends(*I);
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
