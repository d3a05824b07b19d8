// SPDX-License-Identifier: Apache-2.0

#include "requests/CarriedStores.h"
#include "analysis/PrivateMemory.h"
#include "common/Calls.h"
#include "common/Target.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

bool isQuiet(const Instruction &I) {
  return !I.mayReadOrWriteMemory() || isa<DbgInfoIntrinsic>(I) || isLifetime(I);
}

/// \returns true if on every path from \p Group to the end of the iteration
/// nothing happens in memory.
bool endsIteration(const TaskLoop &T, const AccessGroup &Group) {
  SmallVector<const Instruction *, 8> Work = {
      Group.accesses().back()->getNextNode()};
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

bool hasLock(const TaskLoop &T) {
  return any_of(T.Blocks, [](const BasicBlock *BB) {
    return any_of(
        *BB, [](const Instruction &I) { return isLock(I) || isUnlock(I); });
  });
}

} // namespace

void asyncmem::carryStores(TaskLoop &T, unsigned Tasks) {
  AccessGroup &First = T.Groups.front();
  if (!beginsIteration(T, First) || hasLock(T))
    return;
  unsigned Behind = alignTo(First.slotBytes(), WordBytes);
  for (AccessGroup &Group : T.Groups) {
    uint64_t Slot = PowerOf2Ceil(Behind + Group.slotBytes());
    if (!all_of(Group.Requests, [](const Request &R) { return R.isStore(); }) ||
        First.Requests.size() + Group.Requests.size() > MaxGroupRequests ||
        Slot * (Tasks + 1) > SpmBytes || !isPlain(Group) ||
        !endsIteration(T, Group))
      continue;
    for (Request &R : Group.Requests)
      R.SlotOffset += Behind;
    Group.IsCarried = true;
    First.CompletesCarried = true;
  }
}
