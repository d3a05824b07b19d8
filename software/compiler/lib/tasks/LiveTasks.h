// SPDX-License-Identifier: Apache-2.0
// How many tasks of the AMU live, which IDs they have, and which of them sleep behind
// a lock (the paper's section III-A: the Return block adapts concurrency to polling
// feedback).
//
// 1. A poll that finds nothing: the core waits for memory, one more task starts.
// 2. If tasks end and polls find something each time, for two rounds of the live
//    tasks, memory is faster than the tasks: the one that ends is not replaced.
// 3. A task that must wait for a lock queues up behind it.

#ifndef ASYNCMEM_LIVETASKS_H
#define ASYNCMEM_LIVETASKS_H

#include "tasks/Scheduler.h"

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

  llvm::Value *place(llvm::IRBuilderBase &B, llvm::Value *Index) const;
  void beginRounds(llvm::IRBuilderBase &B, llvm::Value *Count);
};

/// The code for one lock() or unlock(). A lock of tasks that sleep while they wait for it
/// is one word: 0 if it is free, else a bit that says it is taken and the IDs of the first
/// and the last waiting task. Tasks give way only at suspensions, so plain loads and stores
/// are enough. A task waits for one lock at a time, so one array by ID holds the links of
/// all queues.
class LockQueue {
public:
  /// Reads the word at \p Lock. \p Next is an array of 16-bit IDs.
  LockQueue(llvm::IRBuilderBase &B, llvm::Value *Lock, llvm::AllocaInst *Next);

  llvm::Value *isFree(llvm::IRBuilderBase &B) const;
  void take(llvm::IRBuilderBase &B) const;
  void append(llvm::IRBuilderBase &B, llvm::Value *Id) const;

  /// ID of the task that waits longest, or 0.
  llvm::Value *first(llvm::IRBuilderBase &B) const;
  void release(llvm::IRBuilderBase &B) const;
  void removeFirst(llvm::IRBuilderBase &B) const;

private:
  static constexpr unsigned IdBits = 16;
  llvm::Value *Lock;
  llvm::AllocaInst *Next;
  llvm::Value *Word;

  llvm::Value *last(llvm::IRBuilderBase &B) const;
  llvm::Value *nextOf(llvm::IRBuilderBase &B, llvm::Value *Id) const;
  void store(llvm::IRBuilderBase &B, llvm::Value *First,
             llvm::Value *Last) const;
};

} // namespace asyncmem

#endif
