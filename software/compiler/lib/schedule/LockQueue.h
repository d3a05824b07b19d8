// SPDX-License-Identifier: Apache-2.0
// A lock of tasks that sleep while they wait for it, as one word: 0 if it is
// free, else a bit that says it is taken and the IDs of the first and the last
// waiting task. Tasks give way only at suspensions, so plain loads and stores
// are enough.

#ifndef ASYNCMEM_LOCKQUEUE_H
#define ASYNCMEM_LOCKQUEUE_H

#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// The code for one lock() or unlock(). A task waits for one lock at a time,
/// so one array by ID holds the links of all queues.
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
