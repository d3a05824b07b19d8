// SPDX-License-Identifier: Apache-2.0
// The control flow of a loop that becomes tasks, and what lives in it.
//
// Algorithm: the loop needs one entry, one latch and exits of its own. The graph of one
// iteration is the loop without its back edge; that edge and the exits lead to a virtual
// end. For each block a set of bits has the blocks on every path from it to the end, as
// the greatest fixed point of "itself and what all successors have in common"; who
// controls a block follows from these sets, and a block that the end cannot be reached
// from is in a loop that never ends. Liveness is the usual backward fixed point of bits.
//
//   for (...) { if (c) f(); g(); }   controllers(f) = the block of c; that of g: none

#ifndef ASYNCMEM_ITERATIONGRAPH_H
#define ASYNCMEM_ITERATIONGRAPH_H

#include "common/Reports.h"
#include "common/TaskLoop.h"

namespace asyncmem {

/// Fills in where \p T is entered, repeated and left; needs T.L and T.Blocks.
/// \returns false with \p No set if the loop cannot be transformed.
bool analyzeShape(TaskLoop &T, Refusal &No);

/// \returns true if neither inlining nor unrolling shows more of what \p L does: it is
/// innermost, without calls, but of intrinsics, and without atomic or volatile accesses.
bool isWhole(const llvm::Loop &L);

/// Control flow of one iteration. The edges back to the header and out of the loop lead to one virtual end.
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

/// Liveness of the values that one set of blocks defines: backward dataflow over \p Blocks, each value one bit. A phi uses its operand
/// at the end of the incoming block. Edges that leave the set are ignored.
class Liveness {
public:
  explicit Liveness(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

  /// Values of the set that are live at the start of \p BB.
  llvm::SmallVector<llvm::Instruction *, 8>
  liveIn(const llvm::BasicBlock *BB) const;

  /// \returns true if \p V is needed after \p Definition was computed; a phi is
  /// computed at the start of its block.
  bool isLiveAfter(const llvm::Instruction &V,
                   const llvm::Instruction &Definition) const;

private:
  llvm::SmallVector<llvm::Instruction *, 64> Values;
  llvm::DenseMap<const llvm::Value *, unsigned> Number;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> In, Out;
};

} // namespace asyncmem

#endif
