// SPDX-License-Identifier: Apache-2.0
// From a set of accesses to the requests that serve them: which bytes lie
// together, how large a request is, where its bytes go in the slot.
//
// Algorithm: accesses at known distances form clusters, sorted by offset. A request of loads
// grows over the next member while it is aligned, fits the slot, and is a line at most or
// wanted at least by half; its begin may move down inside a word. Stores join only without a
// hole. Slot offsets are given by decreasing size.
//
//   p[0] p[1] p[3], 8 bytes each, p aligned to 32   ->   one request of 32 bytes at p

#include "requests/Requests.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// So many accesses in sequence are worth a comparison when the program runs.
constexpr unsigned MinSequence = 4;

Align neededAlignment(uint64_t Bytes) {
  return Align(std::min<uint64_t>(Bytes, WordBytes));
}

class RequestPlanner {
public:
  RequestPlanner(const CoalesceLimits &Limits, const CoalesceAnalyses &Analyses)
      : Limits(Limits), Analyses(Analyses) {}

  std::optional<AccessGroup> plan(ArrayRef<Instruction *> Accesses) const {
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

private:
  /// Accesses whose distance from each other is known.
  struct Cluster {
    struct Member {
      Instruction *Access;
      int64_t Offset;
      unsigned Bytes;
      Align Alignment;
    };
    SmallVector<Member, 4> Members;
    bool IsStore;

    Align alignmentAt(int64_t Offset) const {
      Align Best(1);
      for (const Member &M : Members)
        Best = std::max(Best, commonAlignment(M.Alignment, Offset - M.Offset));
      return Best;
    }

    /// Elements that follow each other without a hole.
    bool isSequence() const {
      for (size_t I = 1; I < Members.size(); ++I)
        if (Members[I].Offset != Members[I - 1].Offset + Members[I - 1].Bytes)
          return false;
      return Members.size() >= MinSequence;
    }

    /// \returns true if a request of \p Bytes at \p Offset may be planned: it is
    /// aligned, or, in a sequence, that is compared when the program runs.
    bool mayBegin(int64_t Offset, uint64_t Bytes) const {
      Align Needed = neededAlignment(Bytes);
      return alignmentAt(Offset) >= Needed ||
             (isSequence() &&
              isAligned(Needed, uint64_t(Offset - Members.front().Offset)));
    }
  };

  const CoalesceLimits &Limits;
  const CoalesceAnalyses &Analyses;

  SmallVector<Cluster, 4> clusters(ArrayRef<Instruction *> Accesses) const {
    const DataLayout &DL = Accesses.front()->getModule()->getDataLayout();
    SmallVector<Cluster, 4> Clusters;
    for (Instruction *Access : Accesses) {
      bool IsStore = isa<StoreInst>(Access);
      std::optional<int64_t> Offset = 0;
      auto *Known = find_if(Clusters, [&](const Cluster &C) {
        return Limits.Mode.Fields && C.IsStore == IsStore &&
               (Offset =
                    constantDistance(accessPointer(C.Members.front().Access),
                                     accessPointer(Access), Analyses.SE));
      });
      if (Known == Clusters.end()) {
        Known = &Clusters.emplace_back();
        Known->IsStore = IsStore;
        Offset = 0;
      }
      Align Alignment =
          std::max(accessAlignment(Access),
                   getKnownAlignment(accessPointer(Access), DL, Access,
                                     &Analyses.AC, &Analyses.DT));
      Known->Members.push_back(
          {Access, *Offset, accessBytes(Access), Alignment});
    }
    for (Cluster &C : Clusters)
      stable_sort(C.Members, [](const auto &A, const auto &B) {
        return A.Offset < B.Offset;
      });
    return Clusters;
  }

  /// Adds a request of \p Size bytes, of which \p Used are, for the members of \p C from
  /// \p First up to \p End.
  static void add(AccessGroup &Group, const Cluster &C, unsigned First,
                  unsigned End, int64_t Start, unsigned Size, unsigned Used) {
    Request &R = Group.Requests.emplace_back();
    R.SizeLog2 = Log2_32(Size);
    R.UsedBytes = Used;
    R.Alignment = C.alignmentAt(Start);
    for (unsigned I = First; I != End; ++I)
      R.Parts.push_back(
          {C.Members[I].Access, unsigned(C.Members[I].Offset - Start)});
  }

  void addLoads(const Cluster &C, AccessGroup &Group) const {
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
      add(Group, C, First, Next, Start, Size, End - Start);
      First = Next;
    }
  }

  /// A store may write only what the program writes: requests end where accesses
  /// end, and there is no hole in them.
  void addStores(const Cluster &C, AccessGroup &Group) const {
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
      add(Group, C, First, Last + 1, Start, Size, Size);
      First = Last + 1;
    }
  }

  void layOut(AccessGroup &Group) const {
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
};

} // namespace

std::optional<AccessGroup>
asyncmem::planRequests(ArrayRef<Instruction *> Accesses,
                       const CoalesceLimits &Limits,
                       const CoalesceAnalyses &Analyses) {
  return RequestPlanner(Limits, Analyses).plan(Accesses);
}
