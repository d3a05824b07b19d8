// SPDX-License-Identifier: Apache-2.0
// Ownership of remote words: a small table of locks, in which the hash of a
// word's address chooses one. A task holds at most one of them at a time, so
// tasks never wait for each other in a circle.

#ifndef ASYNCMEM_OWNERTABLE_H
#define ASYNCMEM_OWNERTABLE_H

#include "loop/TaskLoop.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// The table of one loop, T.Owners, made when it is first needed.
class OwnerTable {
public:
  explicit OwnerTable(TaskLoop &T) : T(T) {}

  /// Takes the lock for the word around \p Pointer where \p B stands. \returns
  /// the lock.
  llvm::Value *own(llvm::IRBuilderBase &B, llvm::Value *Pointer);

  /// Gives \p Lock back.
  void release(llvm::IRBuilderBase &B, llvm::Value *Lock);

private:
  TaskLoop &T;

  void call(llvm::IRBuilderBase &B, llvm::StringRef Name, llvm::Value *Lock);
};

/// Removes what takes and gives back the locks of \p Owners in \p Blocks, where
/// no tasks run.
void forgetOwners(const llvm::GlobalVariable *Owners,
                  llvm::ArrayRef<llvm::BasicBlock *> Blocks);

} // namespace asyncmem

#endif
