// SPDX-License-Identifier: Apache-2.0
// The code of records (RecordRequests.h): fields are read from the slot.

#ifndef ASYNCMEM_RECORDREADS_H
#define ASYNCMEM_RECORDREADS_H

#include "loop/TaskLoop.h"
#include "schedule/Scheduler.h"

namespace asyncmem {

/// Replaces the loads of T.Records by loads from the slot, and lets groups that
/// may find their bytes there ask for them only where they do not.
/// \returns the number of loads that are no access of a group any more.
unsigned readRecords(TaskLoop &T, Scheduler &Sched);

} // namespace asyncmem

#endif
