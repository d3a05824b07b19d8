// SPDX-License-Identifier: Apache-2.0
// Program slices of one iteration: what must be computed, in program order, to
// know the next iteration's sequential values and whether there is one.

#ifndef ASYNCMEM_SLICE_H
#define ASYNCMEM_SLICE_H

#include "asyncmem/TaskLoop.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace asyncmem {

/// Control flow inside one iteration: the edges back to the header and out of
/// the loop lead to one virtual end.
class IterationGraph {
public:
  explicit IterationGraph(const TaskLoop &T);

  /// \returns a block from which the end cannot be reached, or null.
  llvm::BasicBlock *endlessBlock() const;

  /// Blocks whose terminators decide whether \p BB runs.
  llvm::SmallVector<llvm::BasicBlock *, 4>
  controllers(const llvm::BasicBlock *BB) const;

  /// \returns true if an iteration can run \p BB more than once.
  bool repeats(const llvm::BasicBlock *BB) const;

  /// First block that every path from \p BB reaches; null for the end.
  llvm::BasicBlock *postDominator(const llvm::BasicBlock *BB) const;

private:
  llvm::ArrayRef<llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Number;
  /// Per block the blocks on every path to the end, the end being the last.
  llvm::SmallVector<llvm::BitVector, 16> Always;
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 16> Next;
};

/// Collects the instructions, branches included, that compute some values.
class Slicer {
public:
  /// \p Strict allows neither control flow nor remote loads.
  Slicer(const TaskLoop &T, const IterationGraph &Graph, llvm::AAResults &AA,
         const llvm::SmallPtrSetImpl<llvm::PHINode *> &Sequential, bool Strict)
      : T(T), Graph(Graph), AA(AA), Sequential(Sequential), Strict(Strict) {}

  llvm::SmallPtrSet<llvm::Instruction *, 16> Instructions;
  /// The instruction looked at last: what prevents it, after a failure.
  llvm::Instruction *Culprit = nullptr;

  /// \returns null if \p V can be computed at launch, else what prevents it.
  const char *add(llvm::Value *V);

  /// Adds what decides whether and how the loop is left.
  const char *addExits();

private:
  const TaskLoop &T;
  const IterationGraph &Graph;
  llvm::AAResults &AA;
  const llvm::SmallPtrSetImpl<llvm::PHINode *> &Sequential;
  bool Strict;

  const char *addPhi(llvm::PHINode &Phi);
  const char *addTerminator(llvm::BasicBlock *BB);
  const char *addControl(const llvm::BasicBlock *BB);
  const char *checkEffects(llvm::Instruction &I);
  bool mayChange(const llvm::Instruction &Writer,
                 const llvm::Instruction &Reader);
};

} // namespace asyncmem

#endif
