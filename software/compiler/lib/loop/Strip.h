// SPDX-License-Identifier: Apache-2.0
// Some iterations of an inner loop that follow each other, a strip, whose loads
// are requested at once (StripRequests.h).

#ifndef ASYNCMEM_STRIP_H
#define ASYNCMEM_STRIP_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

namespace llvm {
class SCEV;
} // namespace llvm

namespace asyncmem {

/// A step of the computation of an iteration's addresses, to be copied for each.
struct StripOperation {
  llvm::WeakTrackingVH Operation;
  /// Of an element of a row (TaskRow): its row, its address, and what that grows by
  /// in an iteration. The scheduler replaces the load by one from the slot.
  std::optional<unsigned> Row;
  llvm::WeakTrackingVH Pointer;
  int64_t Step = 0;
  llvm::Align Alignment;
  /// The row's place in the slot, once there are tasks.
  unsigned SlotOffset = 0, SlotBytes = 0;
};

/// Where the first iteration's part of a request is in the slot, for a load, and
/// which iteration of the strip the load belongs to.
struct StripLoad {
  llvm::LoadInst *Load;
  unsigned Request, Offset;
  llvm::WeakTrackingVH Index;
};

struct Strip {
  /// Values that grow by a constant in each iteration: phis of its header.
  llvm::SmallVector<std::pair<llvm::PHINode *, int64_t>, 2> Counters;
  /// Operands first.
  llvm::SmallVector<StripOperation, 8> Operations;
  /// Elements of other rows, which each iteration loads before: a strip ends where
  /// what the slot has of them ends.
  llvm::SmallVector<StripOperation, 1> Beside;
  /// What may write in words that later iterations load, or in elements that
  /// their addresses come from.
  llvm::SmallSetVector<llvm::StoreInst *, 2> Stores;
  /// Those of them that come before the loads in an iteration.
  llvm::SmallPtrSet<const llvm::StoreInst *, 2> Before;
  /// How often the inner loop is repeated, as it is planned; in front of it: keeps
  /// that number.
  const llvm::SCEV *RepeatCount = nullptr;
  llvm::StoreInst *Repeats = nullptr;

  /// From here on set when the loop is taken apart (StripBuffers.h): variables for
  /// how many iterations of the strip have begun, how many it has, and how many of
  /// the inner loop follow the last one of them.
  llvm::AllocaInst *Begun = nullptr, *All = nullptr, *Left = nullptr;
  llvm::SmallVector<StripLoad, 2> Loads;
  /// How many iterations the strip has.
  llvm::WeakTrackingVH Count;
  /// Comparisons that are true where a strip begins, false inside one.
  llvm::SmallVector<llvm::WeakVH, 2> Tests;

  /// Copies to \p Values what computes the addresses of the iteration that comes
  /// \p Later than this one; \p Read makes an element of its row and address.
  void copyOperations(
      llvm::IRBuilderBase &B, llvm::Value *Later,
      llvm::ValueToValueMapTy &Values,
      llvm::function_ref<llvm::Value *(const StripOperation &, llvm::Value *)>
          Read) const;
};

} // namespace asyncmem

#endif
