// SPDX-License-Identifier: Apache-2.0
// Variables in memory that each task of a loop has for itself.
//
// Algorithm: a variable whose life starts in the loop is the task's own, unless some
// address of it escapes from loads, stores, fills and comparisons. Addresses in one
// variable may be joined, but not kept while the task waits, as its frame may move.
//
//   for (i) { int v[4]; f(v[x[i]]); }   v has a copy in each task's frame

#ifndef ASYNCMEM_PRIVATEMEMORY_H
#define ASYNCMEM_PRIVATEMEMORY_H

#include "common/Reports.h"
#include "common/TaskLoop.h"

namespace llvm {
class Value;
} // namespace llvm

namespace asyncmem {

/// All frames are on the stack: 512 tasks of this size are 2 MiB.
inline constexpr unsigned MaxPrivateBytes = 4096;

/// Finds the variables whose life starts in the loop body. \returns false with
/// \p No set if one of them cannot be its task's own.
bool collectPrivateMemory(TaskLoop &T, Refusal &No);

/// \returns true if what is at \p Pointer is the own variable of each task.
bool isPrivate(const TaskLoop &T, const llvm::Value *Pointer);

} // namespace asyncmem

#endif
