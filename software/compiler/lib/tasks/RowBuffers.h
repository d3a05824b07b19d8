// SPDX-License-Identifier: Apache-2.0
// The code of rows (RowRequests.h): which block of memory a task has in its
// slot, and whether an element lies in it.

#ifndef ASYNCMEM_ROWBUFFERS_H
#define ASYNCMEM_ROWBUFFERS_H

#include "loop/TaskLoop.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// No block begins there: the task has none.
inline constexpr uint64_t NoBlock = 1;

/// \returns where the group of \p Access begins, as its accesses stay together;
/// \p Access if it is in none.
llvm::Instruction *startOfGroup(const TaskLoop &T, llvm::Instruction *Access);

/// \p Variable, of which every use follows a store, becomes a value: the loop is not
/// yet part of the function again, so that dominators would not help.
void promote(llvm::AllocaInst *Variable);

/// Puts a comparison in front of each load of T.Rows, and the request, which
/// its group waits for, into a block of its own.
void compareRows(TaskLoop &T);

} // namespace asyncmem

#endif
