// SPDX-License-Identifier: Apache-2.0

#include "schedule/SlotCopies.h"

using namespace llvm;
using namespace asyncmem;

/// A block ends where a task waits, so what its loads found is there until its end.
std::optional<unsigned> SlotCopies::placeOf(const Request &R,
                                            const BasicBlock *Before) const {
  std::optional<unsigned> Place;
  unsigned Bytes = 0;
  for (const AccessPart &Part : R.Parts) {
    auto *Store = dyn_cast<StoreInst>(Part.Access);
    auto *Load = Store ? dyn_cast<LoadInst>(Store->getValueOperand()) : nullptr;
    auto At =
        Load && Load->getParent() == Before ? Places.find(Load) : Places.end();
    if (At == Places.end() || At->second < Part.Offset ||
        (Place && *Place != At->second - Part.Offset))
      return std::nullopt;
    Place = At->second - Part.Offset;
    Bytes +=
        Load->getModule()->getDataLayout().getTypeStoreSize(Load->getType());
  }
  if (Bytes != R.bytes() || !isAligned(R.neededAlignment(), *Place))
    return std::nullopt;
  return Place;
}

/// What else a word is needed for loads it where that is: the bytes stay in the
/// slot, so that no register must keep them.
static void loadLate(Instruction *Load) {
  for (Instruction *I = Load->getNextNode(); I; I = I->getNextNode())
    if (I->isTerminator() || is_contained(I->operands(), Load)) {
      Load->moveBefore(I);
      return;
    }
}

std::optional<AccessGroup> SlotCopies::inPlace(const AccessGroup &Group,
                                               const BasicBlock *Before) const {
  // Into a carried store's slot the next iteration loads.
  if (Group.IsCarried)
    return std::nullopt;
  AccessGroup Moved = Group;
  for (Request &R : Moved.Requests) {
    std::optional<unsigned> Place = placeOf(R, Before);
    if (!Place)
      return std::nullopt;
    R.SlotOffset = *Place;
  }
  for (const Request &R : Moved.Requests)
    for (const AccessPart &Part : R.Parts)
      loadLate(
          cast<Instruction>(cast<StoreInst>(Part.Access)->getValueOperand()));
  return Moved;
}
