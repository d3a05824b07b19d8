// SPDX-License-Identifier: Apache-2.0
// Inner loops over elements of a row (RowRequests.h) in two forms: as long as the
// task has the blocks of the elements, and nothing in the iteration waits, a loop
// of its own runs, in which no block is compared with the one before and what is
// the same for all its elements is computed once. All else, and the first element
// of each block, runs in the loop as it was.

#ifndef ASYNCMEM_ROWLOOPS_H
#define ASYNCMEM_ROWLOOPS_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Gives inner loops whose rows are compared (SlotReads.h) such a loop, where an
/// iteration can pass without a wait.
void separateRowLoops(TaskLoop &T);

} // namespace asyncmem

#endif
