// SPDX-License-Identifier: Apache-2.0
// The code of strips (StripRequests.h): when a task requests the loads of the next
// iterations, of how many, and what stores make it forget.

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
