// SPDX-License-Identifier: Apache-2.0
// Where in an iteration a task holds a lock of the program.

#ifndef ASYNCMEM_LOCKREGIONS_H
#define ASYNCMEM_LOCKREGIONS_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Instructions that run only while their task holds a lock.
class LockRegions {
public:
  explicit LockRegions(const TaskLoop &T);
  bool protects(const llvm::Instruction &I) const;

private:
  /// Blocks that every path of an iteration enters with a lock held.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> HeldAtStart;
};

} // namespace asyncmem

#endif
