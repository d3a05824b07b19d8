// SPDX-License-Identifier: Apache-2.0
// The instructions of a block in the order that a plan gives them, while the block
// stays as it is.

#ifndef ASYNCMEM_PLANNEDORDER_H
#define ASYNCMEM_PLANNEDORDER_H

#include "loop/TaskLoop.h"
#include "llvm/ADT/DenseMap.h"

namespace asyncmem {

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
