// SPDX-License-Identifier: Apache-2.0
// Atomic operations and locks in tasks (the paper's section III-E, figure 8).
//
// A remote atomic operation is an asynchronous load and store with suspensions
// in between. The AMU's tasks take ownership of its address first (OwnerTable.h).
// With prefetches the operation itself stays what it was.

#ifndef ASYNCMEM_ATOMICS_H
#define ASYNCMEM_ATOMICS_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Replaces the atomic operations among T.Remote by loads and stores between
/// calls of asyncmem_lock and asyncmem_unlock.
void expandRemoteAtomics(TaskLoop &T);

} // namespace asyncmem

#endif
