// SPDX-License-Identifier: Apache-2.0

#include "tasks/NestedRegion.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns true if nothing that the region reads lies in the slot from before.
bool hasOwnSlot(const TaskLoop &T, const NestedRegion &Region, Refusal &No) {
  auto Record = [&](unsigned Number) {
    return find_if(
               T.Groups,
               [&](const AccessGroup &Group) { return Group.Record == Number; })
        ->accesses()
        .front()
        ->getParent();
  };
  auto Leaves = [&](unsigned Number, const Instruction *Reader) {
    return Region.Blocks.contains(
               const_cast<BasicBlock *>(Reader->getParent())) &&
           !Region.Blocks.contains(Record(Number));
  };
  for (auto [Number, R] : enumerate(T.Records))
    for (const RecordField &Field : R.Fields)
      if (Value *Load = Field.Load;
          Load && Leaves(Number, cast<Instruction>(Load)))
        return refuse(No, "it reads what a request before it has loaded",
                      cast<Instruction>(Load));
  for (const AccessGroup &Group : T.Groups)
    if (Group.IsCarried || Group.CompletesCarried ||
        (Group.Held && Leaves(Group.Held->Record, Group.accesses().front())))
      return refuse(No, "it reads what a request before it has loaded",
                    Group.accesses().front());
  return true;
}

} // namespace

std::optional<NestedRegion>
asyncmem::findNestedRegion(const TaskLoop &T, const Loop *Inner, Refusal &No) {
  auto Changed = [&] {
    refuse(No, "it has changed since it was looked at",
           T.Nested->Header->getTerminator());
    return std::nullopt;
  };
  if (!Inner || Inner->getHeader() != T.Nested->Header)
    return Changed();
  NestedRegion Region;
  Region.Entry = T.Nested->Begin->getParent();
  Region.Latch = Inner->getLoopLatch();
  Region.Exit = Inner->getUniqueExitBlock();
  if (!Region.Latch || !Region.Exit ||
      Inner->getExitingBlock() != Region.Latch ||
      Region.Entry != Inner->getLoopPreheader() ||
      T.Nested->End->getParent() != Region.Entry)
    return Changed();
  Region.Blocks.insert(Region.Entry);
  Region.Blocks.insert(Inner->block_begin(), Inner->block_end());
  Region.Behind =
      blocksBehind(Region.Exit, [&](BasicBlock *, BasicBlock *Next) {
        return is_contained(T.Blocks, Next);
      });
  Region.Behind.insert(Region.Exit);
  for (BasicBlock *BB : Region.Blocks)
    if (Region.Behind.contains(BB) || !is_contained(T.Blocks, BB))
      return Changed();
  if (Region.Exit->getSinglePredecessor() != Region.Latch)
    return Changed();
  auto IsSum = [&](const Instruction &I) {
    return any_of(T.Nested->Reductions, [&](const NestedReduction &R) {
      return R.Phi->getIncomingValueForBlock(Region.Latch) == &I;
    });
  };
  for (BasicBlock *BB : Region.Blocks)
    for (Instruction &I : *BB)
      for (User *U : I.users())
        if (!Region.Blocks.contains(cast<Instruction>(U)->getParent()) &&
            !IsSum(I))
          return Changed();
  if (!hasOwnSlot(T, Region, No))
    return std::nullopt;
  return Region;
}
