// SPDX-License-Identifier: Apache-2.0
// Marks of accesses, for a loop that is changed between two analyses: each of
// them removes the marks it finds.

#ifndef ASYNCMEM_MARKS_H
#define ASYNCMEM_MARKS_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Marks the remote accesses of \p T again, and what clauses promise of them.
void markAgain(const TaskLoop &T);

} // namespace asyncmem

#endif
