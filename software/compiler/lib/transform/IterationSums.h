// SPDX-License-Identifier: Apache-2.0
// Carried values that an iteration only updates by one commutative operation, but
// needs several versions of at a time, as where optimisation computes what an inner
// loop adds in front of it: "count + n" beside "count + 1". Tasks keep one version of
// such a value. Each iteration gets a sum of its own, which the value takes at its end.

#ifndef ASYNCMEM_ITERATIONSUMS_H
#define ASYNCMEM_ITERATIONSUMS_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Needs the accesses of \p T collected. \returns true if something changed.
bool sumInIterations(TaskLoop &T);

} // namespace asyncmem

#endif
