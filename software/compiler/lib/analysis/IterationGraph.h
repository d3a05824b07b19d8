// SPDX-License-Identifier: Apache-2.0
// Control flow of one iteration.

#ifndef ASYNCMEM_ITERATIONGRAPH_H
#define ASYNCMEM_ITERATIONGRAPH_H

#include "loop/TaskLoop.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace asyncmem {

/// The edges back to the header and out of the loop lead to one virtual end.
class IterationGraph {
public:
  explicit IterationGraph(const TaskLoop &T);

  /// \returns a block from which the end cannot be reached, or null.
  llvm::BasicBlock *endlessBlock() const;

  /// Blocks whose terminators decide whether \p BB runs.
  llvm::SmallVector<llvm::BasicBlock *, 4>
  controllers(const llvm::BasicBlock *BB) const;

  /// \returns true if an iteration can run \p BB more than once.
  bool repeats(const llvm::BasicBlock *BB) const { return leads(BB, BB); }

  /// \returns true if an iteration can come from the end of \p From to \p To.
  bool leads(const llvm::BasicBlock *From, const llvm::BasicBlock *To) const;

  /// First block that every path from \p BB reaches; null for the end.
  llvm::BasicBlock *postDominator(const llvm::BasicBlock *BB) const;

private:
  llvm::ArrayRef<llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Number;
  /// Per block the blocks on every path to the end, the end being the last.
  llvm::SmallVector<llvm::BitVector, 16> Always;
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 16> Next;

  unsigned number(const llvm::BasicBlock *BB) const;
};

} // namespace asyncmem

#endif
