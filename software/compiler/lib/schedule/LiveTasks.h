// SPDX-License-Identifier: Apache-2.0
// How many tasks of the AMU live, and which IDs they have (the paper's section
// III-A: the Return block adapts concurrency to polling feedback).
//
// A poll that finds nothing: the core waits for memory, one more task starts. If
// tasks end and polls find something each time, for two rounds of the live
// tasks, memory is faster than the tasks: the one that ends is not replaced.

#ifndef ASYNCMEM_LIVETASKS_H
#define ASYNCMEM_LIVETASKS_H

#include "schedule/Variables.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// IDs are 1 ... Tasks. Those of tasks that were not replaced wait in a list,
/// behind the number of live tasks: with n of them the free IDs are at places
/// n + 1 ... the highest ID ever used.
class LiveTasks {
public:
  /// \p Shrinks false: every task that ends is replaced while there are
  /// iterations.
  LiveTasks(llvm::Function &F, Variables &Vars, unsigned Tasks, bool Shrinks);

  bool shrinks() const { return Patience; }

  /// One task lives, its ID is 1.
  void start(llvm::IRBuilderBase &B);

  /// A poll found nothing. \returns whether another task may start.
  llvm::Value *pollFailed(llvm::IRBuilderBase &B);

  /// Counts another task. \returns its ID.
  llvm::Value *add(llvm::IRBuilderBase &B);

  /// A task ended and could be replaced. \returns whether two rounds are over.
  llvm::Value *isTooMany(llvm::IRBuilderBase &B);

  /// After two rounds: whether enough tasks live to do with one less. If not,
  /// keep() begins two more.
  llvm::Value *mayRemove(llvm::IRBuilderBase &B);
  void keep(llvm::IRBuilderBase &B);

  /// The task \p Id is not replaced although there are iterations left.
  void remove(llvm::IRBuilderBase &B, llvm::Value *Id);

  /// A task ended and no iteration is left. \returns the number that live.
  llvm::Value *end(llvm::IRBuilderBase &B);

private:
  unsigned Tasks;
  llvm::AllocaInst *Live;
  /// If tasks may become fewer and more again: highest ID used, and the list.
  llvm::AllocaInst *Highest = nullptr;
  llvm::AllocaInst *FreeIds = nullptr;
  /// Tasks that may end before the next poll that finds nothing, if one that ends
  /// may not be replaced then.
  llvm::AllocaInst *Patience = nullptr;

  llvm::Value *get(llvm::IRBuilderBase &B, llvm::AllocaInst *Variable) const;
  llvm::Value *place(llvm::IRBuilderBase &B, llvm::Value *Index) const;
  void beginRounds(llvm::IRBuilderBase &B, llvm::Value *Count);
};

} // namespace asyncmem

#endif
