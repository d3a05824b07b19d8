// SPDX-License-Identifier: Apache-2.0
// Loads that read what the task has in its slot.
//
// 1. Rows (RowRequests.h): which block of memory a task has, and whether an element
//    lies in it; if not, it is requested.
// 2. Records (RecordRequests.h): fields are read at their place; of what may lie in a
//    record that is asked when the program runs.
//
//   x = row[j]  ->  if (line(&row[j]) != known) { aload(line); known = line; wait }
//                   x = slot[&row[j] & 63]

#ifndef ASYNCMEM_SLOTREADS_H
#define ASYNCMEM_SLOTREADS_H

#include "common/TaskLoop.h"
#include "tasks/Scheduler.h"
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

/// Replaces the loads of T.Records by loads from the slot, and lets groups that
/// may find their bytes there ask for them only where they do not.
/// \returns the number of loads that are no access of a group any more.
unsigned readRecords(TaskLoop &T, Scheduler &Sched);

} // namespace asyncmem

#endif
