// SPDX-License-Identifier: Apache-2.0
// Carried values in the forms that tasks can update in any order.
//
// 1. "c ? x op v : x" becomes "x op (c ? v : neutral)".
// 2. A value of which an iteration needs several versions gets a sum of its own in
//    each iteration, which it takes at its end.
// 3. A variable that clauses let iterations share is read as late as it can be, and
//    once where no remote access lies between two reads.
//
//   if (a[i] > 0) sum += a[i];  ->  sum += a[i] > 0 ? a[i] : 0;

#ifndef ASYNCMEM_UPDATEFORMS_H
#define ASYNCMEM_UPDATEFORMS_H

#include "common/TaskLoop.h"

namespace asyncmem {

/// Turns "c ? x op v : x" into "x op (c ? v : neutral)"; needs T.L and T.Blocks.
void makeUpdatesUnconditional(TaskLoop &T);

// Carried values that an iteration only updates by one commutative operation, but
// needs several versions of at a time, as where optimisation computes what an inner
// loop adds in front of it: "count + n" beside "count + 1". Tasks keep one version of
// such a value. Each iteration gets a sum of its own, which the value takes at its end.

/// Needs the accesses of \p T collected. \returns true if something changed.
bool sumInIterations(TaskLoop &T);

// Reads of variables that clauses let iterations share: as late as they can be, so
// that no remote access lies between such a read and an update that follows from it
// ("best < a[i]" reads best first), and one for those between which none lies
// ("best = x > best ? x : best" has two). Other iterations come between at remote
// accesses only.

/// Needs the accesses of \p T collected.
void readLate(TaskLoop &T);

} // namespace asyncmem

#endif
