// SPDX-License-Identifier: Apache-2.0
// The code of strips (StripRequests.h): when a task requests the loads of the next
// iterations, of how many, and what stores make it forget.
//
// Algorithm: where an iteration begins, a counter says whether the strip has another one. If
// not, the number of iterations that rows and the loop's end allow is computed, and for each
// of them the addresses are, by copies of what computes them; all are one group. Behind a
// store that meets an address still to come, the rest of the strip is forgotten.
//
//   if (begun == all) { all = min(left, 8); request all; begun = 0; } v = slot[begun++];

#ifndef ASYNCMEM_STRIPBUFFERS_H
#define ASYNCMEM_STRIPBUFFERS_H

#include "common/TaskLoop.h"

namespace asyncmem {

/// Creates the variables of strips.
void createStrips(TaskLoop &T);

/// Puts the requests of each strip, for which its group waits, into a block of
/// their own, reached where a strip begins. Comes after
/// compareRows, which comes after createStrips.
void runStrips(TaskLoop &T);

} // namespace asyncmem

#endif
