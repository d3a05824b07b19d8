// SPDX-License-Identifier: Apache-2.0
// Coalescing of remote accesses (the paper's section III-C).
//
// Two ways to wait once for several accesses of one basic block: neighbouring
// bytes become one coarse request, and requests that do not need each other's
// result are issued together (aset on the AMU). Only accesses and what computes
// their operands are moved, and only inside their block.

#ifndef ASYNCMEM_COALESCE_H
#define ASYNCMEM_COALESCE_H

#include "loop/TaskLoop.h"
#include "requests/RequestPlan.h"

namespace asyncmem {

/// Fills T.Groups, in block order, and T.Moves, by which their accesses come
/// together. Changes nothing in the function.
void planGroups(TaskLoop &T, const CoalesceLimits &Limits,
                const CoalesceAnalyses &Analyses);

/// Carries out T.Moves.
void moveTogether(TaskLoop &T);

} // namespace asyncmem

#endif
