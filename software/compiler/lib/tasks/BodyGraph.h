// SPDX-License-Identifier: Apache-2.0
// Control flow of the task code: blocks by number, edges inside the set, loops.
// Generic analyses do not apply while the blocks around the task are unfinished.

#ifndef ASYNCMEM_BODYGRAPH_H
#define ASYNCMEM_BODYGRAPH_H

#include "schedule/Suspension.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cassert>

namespace asyncmem {

/// A loop of the task code with one entry.
struct BodyLoop {
  unsigned Header;
  llvm::BitVector Blocks;
  bool Suspends;
};

class BodyGraph {
public:
  BodyGraph(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
            llvm::ArrayRef<Suspension> Suspensions);

  unsigned size() const { return Blocks.size(); }
  llvm::BasicBlock *block(unsigned I) const { return Blocks[I]; }
  llvm::ArrayRef<unsigned> predecessors(unsigned I) const { return Pred[I]; }
  llvm::ArrayRef<unsigned> successors(unsigned I) const { return Succ[I]; }
  /// \returns true if some edge of block \p I leaves the set.
  bool leaves(unsigned I) const { return Leaves.test(I); }
  /// A task is suspended at the end of block \p I, resumed at its start.
  bool suspends(unsigned I) const { return Suspends.test(I); }
  bool resumes(unsigned I) const { return Resumes.test(I); }
  llvm::ArrayRef<BodyLoop> loops() const { return Loops; }
  unsigned depth(unsigned I) const;
  /// \returns how often block \p I, or its edge to \p To, is executed in an
  /// iteration, by branch weights, as far as loops of some length allow.
  double frequency(unsigned I) const { return Frequency[I]; }
  double frequency(unsigned From, unsigned To) const {
    return Frequency[From] * share(From, To);
  }
  /// \returns the part of the executions of \p From that goes on to \p To.
  double share(unsigned From, unsigned To) const;
  unsigned number(const llvm::BasicBlock *BB) const {
    assert(Number.contains(BB) && "a block of other code");
    return Number.lookup(BB);
  }

private:
  llvm::ArrayRef<llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Number;
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 16> Succ, Pred;
  llvm::BitVector Leaves, Suspends, Resumes;
  llvm::SmallVector<BodyLoop, 4> Loops;
  llvm::SmallVector<double, 16> Frequency;

  void findFrequencies();
  void findLoops(const llvm::BitVector &Set);
};

} // namespace asyncmem

#endif
