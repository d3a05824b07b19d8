// SPDX-License-Identifier: Apache-2.0
// Updates of carried values that some condition decides about.

#ifndef ASYNCMEM_UNCONDITIONALUPDATES_H
#define ASYNCMEM_UNCONDITIONALUPDATES_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Turns "c ? x op v : x" into "x op (c ? v : neutral)"; needs T.L and T.Blocks.
void makeUpdatesUnconditional(TaskLoop &T);

} // namespace asyncmem

#endif
