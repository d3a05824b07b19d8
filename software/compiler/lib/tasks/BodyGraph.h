// SPDX-License-Identifier: Apache-2.0
// The code of a task, while the blocks around it are unfinished and generic analyses do
// not apply: blocks by number, edges inside the set, loops; and webs, the variables of
// the frame: values that live across a suspension and can share a place.
//
// Algorithm: liveness decides which values of a phi's web overlap; those stay apart, the
// others share a variable, so that the phi costs no copy. Loops are found in the graph of the
// blocks; their depth and the weights of branches say how often a block runs.
//
//   v = phi(a, b), a and b needed no longer   ->   one variable for v, a and b

#ifndef ASYNCMEM_BODYGRAPH_H
#define ASYNCMEM_BODYGRAPH_H

#include "analysis/IterationGraph.h"
#include "tasks/Scheduler.h"
#include <cassert>

namespace asyncmem {

/// A variable of the frame. A member that is a phi takes its value by copies at
/// the ends of its predecessors, except where the incoming value is a member.
struct Web {
  llvm::SmallSetVector<llvm::Instruction *, 4> Members;

  bool contains(const llvm::Value *V) const {
    auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    return I && Members.contains(const_cast<llvm::Instruction *>(I));
  }
  llvm::Type *type() const { return Members.front()->getType(); }
};

/// Joins each of \p Values with the phis and values it is connected to over
/// phis of \p Blocks, as long as no two members are needed at one time.
llvm::SmallVector<Web, 8> buildWebs(llvm::ArrayRef<llvm::Instruction *> Values,
                                    llvm::ArrayRef<llvm::BasicBlock *> Blocks);

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
