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

#ifndef ASYNCMEM_REQUESTPLAN_H
#define ASYNCMEM_REQUESTPLAN_H

#include "common/Machine.h"
#include "common/Request.h"
#include "common/TaskLoop.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace llvm {
class AAResults;
class AssumptionCache;
class DominatorTree;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// Analyses of the unchanged loop.
struct CoalesceAnalyses {
  llvm::AAResults &AA;
  llvm::AssumptionCache &AC;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
};

class RequestPlanner {
public:
  RequestPlanner(const CoalesceLimits &Limits, const CoalesceAnalyses &Analyses)
      : Limits(Limits), Analyses(Analyses) {}

  /// \returns requests for all of \p Accesses, or nothing if they exceed what
  /// one group may hold. One access alone always fits.
  std::optional<AccessGroup>
  plan(llvm::ArrayRef<llvm::Instruction *> Accesses) const;

private:
  /// Accesses whose distance from each other is known.
  struct Cluster {
    struct Member {
      llvm::Instruction *Access;
      int64_t Offset;
      unsigned Bytes;
      llvm::Align Alignment;
    };
    llvm::SmallVector<Member, 4> Members;
    bool IsStore;

    llvm::Align alignmentAt(int64_t Offset) const;
    /// Elements that follow each other without a hole.
    bool isSequence() const;
    /// \returns true if a request of \p Bytes at \p Offset may be planned: it is
    /// aligned, or, in a sequence, that is compared when the program runs.
    bool mayBegin(int64_t Offset, uint64_t Bytes) const;
  };

  const CoalesceLimits &Limits;
  const CoalesceAnalyses &Analyses;

  llvm::SmallVector<Cluster, 4>
  clusters(llvm::ArrayRef<llvm::Instruction *> Accesses) const;
  std::optional<int64_t> distance(llvm::Instruction *From,
                                  llvm::Instruction *To) const;
  void addLoads(const Cluster &C, AccessGroup &Group) const;
  void addStores(const Cluster &C, AccessGroup &Group) const;
  void layOut(AccessGroup &Group) const;
};

// The instructions of a block in the order that a plan gives them, while the block
// stays as it is.

class PlannedOrder {
public:
  /// Moves are appended to \p Moves.
  PlannedOrder(llvm::BasicBlock &BB, llvm::SmallVectorImpl<Move> &Moves);

  /// As of llvm::Instruction, for instructions of the block.
  llvm::Instruction *next(const llvm::Instruction *I) const;
  bool comesBefore(const llvm::Instruction *A,
                   const llvm::Instruction *B) const {
    return Number.lookup(A) < Number.lookup(B);
  }
  void moveBefore(llvm::Instruction *I, llvm::Instruction *Position);

private:
  llvm::SmallVector<llvm::Instruction *, 64> Order;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Number;
  llvm::SmallVectorImpl<Move> &Moves;
};

} // namespace asyncmem

#endif
