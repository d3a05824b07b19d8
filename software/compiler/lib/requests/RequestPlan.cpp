// SPDX-License-Identifier: Apache-2.0

#include "requests/RequestPlan.h"
#include "common/Target.h"
#include "common/Request.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// So many accesses in sequence are worth a comparison when the program runs.
constexpr unsigned MinSequence = 4;

Align neededAlignment(uint64_t Bytes) {
  return Align(std::min<uint64_t>(Bytes, WordBytes));
}

} // namespace

Align RequestPlanner::Cluster::alignmentAt(int64_t Offset) const {
  Align Best(1);
  for (const Member &M : Members)
    Best = std::max(Best, commonAlignment(M.Alignment, Offset - M.Offset));
  return Best;
}

bool RequestPlanner::Cluster::isSequence() const {
  for (size_t I = 1; I < Members.size(); ++I)
    if (Members[I].Offset != Members[I - 1].Offset + Members[I - 1].Bytes)
      return false;
  return Members.size() >= MinSequence;
}

bool RequestPlanner::Cluster::mayBegin(int64_t Offset, uint64_t Bytes) const {
  Align Needed = neededAlignment(Bytes);
  return alignmentAt(Offset) >= Needed ||
         (isSequence() &&
          isAligned(Needed, uint64_t(Offset - Members.front().Offset)));
}

std::optional<int64_t> RequestPlanner::distance(Instruction *From,
                                                Instruction *To) const {
  ScalarEvolution &SE = Analyses.SE;
  const SCEV *A = SE.getSCEV(accessPointer(From));
  const SCEV *B = SE.getSCEV(accessPointer(To));
  auto *Difference = dyn_cast<SCEVConstant>(SE.getMinusSCEV(B, A));
  if (!Difference || Difference->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return Difference->getAPInt().getSExtValue();
}

SmallVector<RequestPlanner::Cluster, 4>
RequestPlanner::clusters(ArrayRef<Instruction *> Accesses) const {
  const DataLayout &DL = Accesses.front()->getModule()->getDataLayout();
  SmallVector<Cluster, 4> Clusters;
  for (Instruction *Access : Accesses) {
    bool IsStore = isa<StoreInst>(Access);
    Align Known = std::max(accessAlignment(Access),
                           getKnownAlignment(accessPointer(Access), DL, Access,
                                             &Analyses.AC, &Analyses.DT));
    auto AddTo = [&](Cluster &C, int64_t Offset) {
      C.Members.push_back({Access, Offset, accessBytes(Access), Known});
    };
    bool Added = false;
    for (Cluster &C : Clusters) {
      std::optional<int64_t> Offset;
      if (Limits.Mode.Fields && C.IsStore == IsStore)
        Offset = distance(C.Members.front().Access, Access);
      if (!Offset)
        continue;
      AddTo(C, *Offset);
      Added = true;
      break;
    }
    if (Added)
      continue;
    Clusters.emplace_back();
    Clusters.back().IsStore = IsStore;
    AddTo(Clusters.back(), 0);
  }
  for (Cluster &C : Clusters)
    stable_sort(C.Members, [](const auto &A, const auto &B) {
      return A.Offset < B.Offset;
    });
  return Clusters;
}

void RequestPlanner::addLoads(const Cluster &C, AccessGroup &Group) const {
  for (unsigned First = 0; First != C.Members.size();) {
    int64_t Start = C.Members[First].Offset;
    int64_t End = Start + C.Members[First].Bytes;
    unsigned Wanted = C.Members[First].Bytes;
    unsigned Size = Wanted;
    unsigned Next = First + 1;
    for (; Next != C.Members.size(); ++Next) {
      const Cluster::Member &M = C.Members[Next];
      int64_t NewEnd = std::max<int64_t>(End, M.Offset + M.Bytes);
      unsigned NewWanted =
          Wanted + std::max<int64_t>(0, NewEnd - std::max(End, M.Offset));
      int64_t NewStart = Start;
      uint64_t NewSize = PowerOf2Ceil(NewEnd - NewStart);
      // A start inside a word moves down to it; its page stays the same.
      for (unsigned Down = 1; Down != WordBytes; ++Down) {
        if (C.mayBegin(NewStart, NewSize))
          break;
        NewStart = Start - Down;
        NewSize = PowerOf2Ceil(NewEnd - NewStart);
      }
      // Bytes nobody asked for fill up to a line; a larger request must be
      // wanted at least by half.
      if (!C.mayBegin(NewStart, NewSize) || NewSize > Limits.MaxSlotBytes ||
          NewSize > std::max(LineBytes, 2 * NewWanted))
        break;
      Start = NewStart;
      End = NewEnd;
      Wanted = NewWanted;
      Size = NewSize;
    }
    Request R;
    R.SizeLog2 = Log2_32(Size);
    R.UsedBytes = End - Start;
    R.Alignment = C.alignmentAt(Start);
    for (; First != Next; ++First)
      R.Parts.push_back(
          {C.Members[First].Access, unsigned(C.Members[First].Offset - Start)});
    Group.Requests.push_back(std::move(R));
  }
}

/// A store may write only what the program writes: requests end where accesses
/// end, and there is no hole in them.
void RequestPlanner::addStores(const Cluster &C, AccessGroup &Group) const {
  for (unsigned First = 0; First != C.Members.size();) {
    int64_t Start = C.Members[First].Offset;
    int64_t End = Start;
    unsigned Size = C.Members[First].Bytes;
    unsigned Last = First;
    for (unsigned I = First; I != C.Members.size(); ++I) {
      const Cluster::Member &M = C.Members[I];
      if (I != First && M.Offset != End)
        break;
      End = M.Offset + M.Bytes;
      uint64_t Covered = End - Start;
      if (isPowerOf2_64(Covered) && Covered <= Limits.MaxSlotBytes &&
          C.mayBegin(Start, Covered)) {
        Size = Covered;
        Last = I;
      }
    }
    Request R;
    R.SizeLog2 = Log2_32(Size);
    R.UsedBytes = Size;
    R.Alignment = C.alignmentAt(Start);
    for (; First <= Last; ++First)
      R.Parts.push_back(
          {C.Members[First].Access, unsigned(C.Members[First].Offset - Start)});
    Group.Requests.push_back(std::move(R));
  }
}

void RequestPlanner::layOut(AccessGroup &Group) const {
  SmallVector<Request *, 8> Order;
  for (Request &R : Group.Requests)
    Order.push_back(&R);
  // Sizes are powers of two: from large to small there are no holes.
  stable_sort(Order, [](const Request *A, const Request *B) {
    return A->SizeLog2 > B->SizeLog2;
  });
  unsigned End = 0;
  for (Request *R : Order) {
    R->SlotOffset = End;
    End += R->bytes();
  }
}

std::optional<AccessGroup>
RequestPlanner::plan(ArrayRef<Instruction *> Accesses) const {
  AccessGroup Group;
  for (const Cluster &C : clusters(Accesses)) {
    if (C.IsStore)
      addStores(C, Group);
    else
      addLoads(C, Group);
  }
  layOut(Group);
  if (Accesses.size() == 1)
    return Group;
  if (Accesses.size() > MaxGroupRequests ||
      Group.slotBytes() > Limits.MaxSlotBytes ||
      (!Limits.Mode.Sets && Group.Requests.size() > 1))
    return std::nullopt;
  return Group;
}

PlannedOrder::PlannedOrder(BasicBlock &BB, SmallVectorImpl<Move> &Moves)
    : Moves(Moves) {
  for (Instruction &I : BB) {
    Number[&I] = Order.size();
    Order.push_back(&I);
  }
}

Instruction *PlannedOrder::next(const Instruction *I) const {
  return Order[Number.lookup(I) + 1];
}

void PlannedOrder::moveBefore(Instruction *I, Instruction *Position) {
  if (I == Position)
    return;
  Moves.push_back({I, Position});
  auto *From = Order.begin() + Number.lookup(I);
  auto *To = Order.begin() + Number.lookup(Position);
  if (From < To)
    std::rotate(From, From + 1, To);
  else
    std::rotate(To, From, From + 1);
  for (auto *At = std::min(From, To); At <= std::max(From, To); ++At)
    Number[*At] = At - Order.begin();
}
