// SPDX-License-Identifier: Apache-2.0
// Remote words that one task at a time may update, on the AMU.
//
// 1. A table of 1,024 locks, to which an address hashes.
// 2. An update that tasks may meet in takes the lock of its word in front of its first
//    load and releases it behind its last store.
// 3. A remote atomic operation becomes such an update.
//
//   atomic_fetch_add(p, n)  ->  lock(&owners[hash(p)]); old = *p; *p = old + n; unlock

#ifndef ASYNCMEM_OWNERSHIP_H
#define ASYNCMEM_OWNERSHIP_H

#include "common/TaskLoop.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
} // namespace llvm

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

/// Lets tasks own the words of T.Updates from load to store. If there are any,
/// the remote atomic operations that are still whole own theirs, too.
void takeOwnership(TaskLoop &T, llvm::DominatorTree &DT, llvm::LoopInfo &LI);

/// Replaces the atomic operations among T.Remote by loads and stores between
/// calls of asyncmem_lock and asyncmem_unlock.
void expandRemoteAtomics(TaskLoop &T);

} // namespace asyncmem

#endif
