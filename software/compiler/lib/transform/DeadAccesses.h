// SPDX-License-Identifier: Apache-2.0
// Accesses that nothing needs when the marks are gone.

#ifndef ASYNCMEM_DEADACCESSES_H
#define ASYNCMEM_DEADACCESSES_H

#include "common/Reports.h"
#include "loop/TaskLoop.h"

namespace asyncmem {

/// Removes the marks, and what nothing but a mark needs, or nothing at all: an
/// access must not vanish when it has been planned. Needs the accesses of \p T
/// collected. \returns false with \p No set if none of them is left.
bool dropDeadAccesses(TaskLoop &T, Refusal &No);

} // namespace asyncmem

#endif
