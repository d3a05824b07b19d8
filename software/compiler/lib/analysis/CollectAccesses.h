// SPDX-License-Identifier: Apache-2.0
// What a marked loop does in memory, as far as tasks can do it.

#ifndef ASYNCMEM_COLLECTACCESSES_H
#define ASYNCMEM_COLLECTACCESSES_H

#include "analysis/RemotePointers.h"
#include "common/Refusal.h"
#include "loop/TaskLoop.h"

namespace asyncmem {

/// Finds the remote accesses of \p T. \p Requests: they become requests of the
/// AMU. \returns false with \p No set if the loop cannot be transformed.
bool collectAccesses(TaskLoop &T, const RemotePointers &Pointers, bool Requests,
                     Refusal &No);

/// Finds the variables whose life starts in the loop body. \returns false with
/// \p No set if one of them cannot be its task's own.
bool collectPrivateMemory(TaskLoop &T, Refusal &No);

} // namespace asyncmem

#endif
