// SPDX-License-Identifier: Apache-2.0
// Loads that read what the task has in its slot: of rows, records and strips. How each works
// stands at the head of its source.

#ifndef ASYNCMEM_SLOTREADS_H
#define ASYNCMEM_SLOTREADS_H

#include "common/TaskLoop.h"
#include "tasks/Scheduler.h"

namespace asyncmem {

// SlotReads.cpp

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

// StripBuffers.cpp

/// Creates the variables of strips.
void createStrips(TaskLoop &T);

/// Puts the requests of each strip, for which its group waits, into a block of
/// their own, reached where a strip begins. Comes after
/// compareRows, which comes after createStrips.
void runStrips(TaskLoop &T);

// StripLoops.cpp

/// Gives the inner loop of the strip of \p Group a second loop. A strip begins in
/// \p Fill, and its iterations read from the slot from \p Use on.
/// \returns false if an iteration always waits or does more than compute before
/// \p Use: nothing has changed.
bool separateStripLoop(TaskLoop &T, AccessGroup &Group, llvm::BasicBlock *Fill,
                       llvm::BasicBlock *Use);

} // namespace asyncmem

#endif
