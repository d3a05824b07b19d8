// SPDX-License-Identifier: Apache-2.0
// The first runs of a loop that stays in its function beside tasks (NH-G): pieces that
// read the clock, until one waits for memory, or they are many (AdaptFirst.h). They are
// in a function of their own, which a short program reads at once:
//
//   first -> piece -> the loop -> end of the piece -> exits
//     |        ^------------ over <---/
//     \--> apart: call <------/  -> exits
//
// The runs for which the record has iterations left need none of it: a copy.

#ifndef ASYNCMEM_FIRSTRUNS_H
#define ASYNCMEM_FIRSTRUNS_H

#include "choice/ChunkedLoop.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include <memory>
#include <optional>

namespace asyncmem {

class FirstRuns {
public:
  /// Whether pieces of \p T cost its iterations nothing.
  static bool canTime(TaskLoop &T);

  /// Of the loop \p T with the policy's record \p Loop, which starts in \p First now, and
  /// has a copy that starts in \p Held; both blocks lead to T's header. What they do not
  /// run goes to \p Apart, which nothing else leads to.
  FirstRuns(TaskLoop &T, llvm::GlobalVariable *Loop, llvm::BasicBlock *Held,
            llvm::BasicBlock *First, llvm::BasicBlock *Apart);

  /// The block from which the rest of a run goes to Apart, and in it what \p Phi of the
  /// header is in the next iteration, and how many the run has had.
  llvm::BasicBlock *over() const { return Over; }
  llvm::Value *after(llvm::PHINode *Phi) const { return After.lookup(Phi); }
  llvm::Value *done() const { return Done; }

  /// Makes the policy a part of the loop, and all of it a function \p Name, if it can be
  /// one.
  void finish(const llvm::Twine &Name);

private:
  TaskLoop &T;
  llvm::Function &F;
  std::unique_ptr<IterationLimit> Limit;
  std::optional<ChunkedLoop> Chunks;
  llvm::AllocaInst *Cycles, *Instructions;
  llvm::SmallVector<llvm::CallInst *, 2> Calls;
  llvm::BasicBlock *First, *Over = nullptr;
  llvm::Value *Done;
  llvm::DenseMap<llvm::PHINode *, llvm::Value *> After;

  void copyFor(llvm::BasicBlock *Held);
  void hideReached();
  llvm::SmallSetVector<llvm::BasicBlock *, 32> region() const;
  llvm::SmallVector<llvm::AllocaInst *, 4> copyVariables();
  llvm::Function *extract();
};

} // namespace asyncmem

#endif
