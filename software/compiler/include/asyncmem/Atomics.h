// SPDX-License-Identifier: Apache-2.0
// Atomic operations and locks in tasks (the paper's section III-E, figure 8).
//
// A remote atomic operation is an asynchronous load and store with suspensions
// in between. The AMU's tasks take ownership of its address first (OwnerTable.h).
// With prefetches the operation itself stays what it was.

#ifndef ASYNCMEM_ATOMICS_H
#define ASYNCMEM_ATOMICS_H

#include "asyncmem/TaskLoop.h"

namespace asyncmem {

/// Pointer, value type and alignment of any load, store or atomic operation.
llvm::Value *accessPointer(const llvm::Instruction *Access);
llvm::Type *accessType(const llvm::Instruction *Access);
llvm::Align accessAlignment(const llvm::Instruction *Access);

/// \returns null if \p I, an atomic operation on local memory, may run in a
/// task as it is, else why not.
const char *checkLocalAtomic(const TaskLoop &T, const RemotePointers &Pointers,
                             const llvm::Instruction &I);

/// Instructions that run only while their task holds a lock.
class LockRegions {
public:
  explicit LockRegions(const TaskLoop &T);
  bool protects(const llvm::Instruction &I) const;

private:
  /// Blocks that every path of an iteration enters with a lock held.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> HeldAtStart;
};

/// Replaces the atomic operations among T.Remote by loads and stores between
/// calls of asyncmem_lock and asyncmem_unlock.
void expandRemoteAtomics(TaskLoop &T);

} // namespace asyncmem

#endif
