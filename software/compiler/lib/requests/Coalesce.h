// SPDX-License-Identifier: Apache-2.0
// Coalescing of remote accesses (the paper's section III-C).
//
// Two ways to wait once for several accesses of one basic block: neighbouring
// bytes become one coarse request, and requests that do not need each other's
// result are issued together (aset on the AMU). Only accesses and what computes
// their operands are moved, and only inside their block.
//
//   x = p->a; y = f(z); w = p->b; v = q[i];   ->   {x, w} = 16 bytes at p, v: wait once; ...

#ifndef ASYNCMEM_COALESCE_H
#define ASYNCMEM_COALESCE_H

#include "common/TaskLoop.h"
#include "requests/RequestPlan.h"

namespace asyncmem {

/// Fills T.Groups, in block order, and T.Moves, by which their accesses come
/// together. Changes nothing in the function.
void planGroups(TaskLoop &T, const CoalesceLimits &Limits,
                const CoalesceAnalyses &Analyses);

/// Carries out T.Moves.
void moveTogether(TaskLoop &T);

// Stores at the end of an iteration, on the AMU.
//
// Nothing in the iteration needs them done. While another iteration follows,
// the handler starts it at once, and the stores finish together with the
// requests that it waits for first: one group of the AMU (aset), opened by one
// iteration and completed by the next. So they cost no switch and no wait.
// Behind the last iteration they are waited for as ever.
//
// The lock of an exclusive update (Ownership.h) that they are under is then
// released where that group has finished. A task takes none before that, so tasks
// never wait for each other in a circle.

/// Marks in T.Groups what need not be waited for, and gives it a place of its
/// own in the slot, as long as that has at most \p MaxSlotBytes.
void carryStores(TaskLoop &T, unsigned MaxSlotBytes);

} // namespace asyncmem

#endif
