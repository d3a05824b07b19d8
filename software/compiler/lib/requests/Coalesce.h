// SPDX-License-Identifier: Apache-2.0
// Coalescing of remote accesses (the paper's section III-C).
//
// Two ways to wait once for several accesses of one basic block: neighbouring
// bytes become one coarse request, and requests that do not need each other's
// result are issued together (aset on the AMU). Only accesses are moved, and
// only inside their block.

#ifndef ASYNCMEM_COALESCE_H
#define ASYNCMEM_COALESCE_H

#include "loop/TaskLoop.h"
#include "requests/RequestPlan.h"

namespace asyncmem {

/// Moves accesses of \p T together and fills T.Groups, in block order.
void coalesceAccesses(TaskLoop &T, const CoalesceLimits &Limits,
                      const CoalesceAnalyses &Analyses);

} // namespace asyncmem

#endif
