// SPDX-License-Identifier: Apache-2.0

#include "requests/CarriedStores.h"
#include "analysis/CollectAccesses.h"
#include "common/Instructions.h"
#include "common/Target.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

bool isQuiet(const Instruction &I) {
  return !I.mayReadOrWriteMemory() || isa<DbgInfoIntrinsic>(I) || isLifetime(I);
}

/// \returns true if on every path from \p First to the end of the iteration
/// nothing happens in memory.
bool endsIteration(const TaskLoop &T, const Instruction *First) {
  SmallVector<const Instruction *, 8> Work = {First};
  SmallPtrSet<const BasicBlock *, 8> Seen;
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    for (const Instruction *Next = I; Next; Next = Next->getNextNode())
      if (!isQuiet(*Next))
        return false;
    for (const BasicBlock *To : successors(I->getParent()))
      if (To != T.Header && is_contained(T.Blocks, To) &&
          Seen.insert(To).second)
        Work.push_back(&To->front());
  }
  return true;
}

bool isPlain(const AccessGroup &Group) {
  return !Group.mayNeedPieces() &&
         none_of(Group.accesses(),
                 [](Instruction *I) { return I->isAtomic(); });
}

/// \returns true if each iteration waits for \p Group first, in any case.
bool beginsIteration(const TaskLoop &T, const AccessGroup &Group) {
  return Group.accesses().front()->getParent() == T.Header && isPlain(Group) &&
         none_of(Group.Requests, [](const Request &R) { return R.isStore(); });
}

bool isLocking(const Instruction &I) { return isLock(I) || isUnlock(I); }

/// \returns true if the program has locks of its own in the loop.
bool hasOtherLocks(const TaskLoop &T) {
  return any_of(T.Blocks, [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) {
      return isLocking(I) &&
             (!T.Owners || getUnderlyingObject(I.getOperand(0)) != T.Owners);
    });
  });
}

/// \returns true if a task waits for \p First before it takes a lock.
bool comesBeforeLocks(const TaskLoop &T, const AccessGroup &First) {
  const Instruction *Access = First.accesses().front();
  return none_of(*T.Header, [&](const Instruction &I) {
    return isLocking(I) && I.comesBefore(Access);
  });
}

/// \returns what releases the lock that the stores of \p Group are under, right
/// behind them; null if there is nothing of the kind.
CallInst *releaseBehind(const AccessGroup &Group) {
  Instruction *I = Group.accesses().back()->getNextNode();
  while (I && isQuiet(*I) && !I->isTerminator())
    I = I->getNextNode();
  return I && isUnlock(*I) ? cast<CallInst>(I) : nullptr;
}

} // namespace

void asyncmem::carryStores(TaskLoop &T, unsigned Tasks) {
  AccessGroup &First = T.Groups.front();
  if (!beginsIteration(T, First) || hasOtherLocks(T) ||
      (T.Owners && !comesBeforeLocks(T, First)))
    return;
  unsigned Behind = alignTo(First.slotBytes(), WordBytes);
  for (AccessGroup &Group : T.Groups) {
    uint64_t Slot = PowerOf2Ceil(Behind + Group.slotBytes());
    if (!all_of(Group.Requests, [](const Request &R) { return R.isStore(); }) ||
        First.Requests.size() + Group.Requests.size() > MaxGroupRequests ||
        Slot * (Tasks + 1) > SpmBytes || !isPlain(Group))
      continue;
    Group.Release = releaseBehind(Group);
    // Where the lock stays taken the end of the iteration is passed over.
    if (Group.Release
            ? !T.Shared.empty() || !T.leavesAtLatch() ||
                  !endsIteration(T, Group.Release->getNextNode())
            : !endsIteration(T, Group.accesses().back()->getNextNode())) {
      Group.Release = nullptr;
      continue;
    }
    for (Request &R : Group.Requests)
      R.SlotOffset += Behind;
    Group.IsCarried = true;
    First.CompletesCarried = true;
  }
}
