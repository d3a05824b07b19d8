// SPDX-License-Identifier: Apache-2.0
// What a marked loop does in memory, as far as tasks can do it.
//
// Algorithm: each instruction of the loop is looked at once. A call must be one whose
// effects are known, as a task may not suspend inside it. A load, store or atomic whose
// pointer is remote becomes T.Remote, if the AMU could request it: 1, 2, 4 or 8 aligned
// bytes. The others are local, or the core waits for them.
//
//   for (i) s += x[i] + v[i];   x is marked, x[i] is remote; v[i] is not

#ifndef ASYNCMEM_COLLECTACCESSES_H
#define ASYNCMEM_COLLECTACCESSES_H

#include "analysis/RemotePointers.h"
#include "common/Reports.h"
#include "common/TaskLoop.h"

namespace asyncmem {

/// Finds the remote accesses of \p T. \p Requests: they become requests of the
/// AMU. \returns false with \p No set if the loop cannot be transformed.
bool collectAccesses(TaskLoop &T, const RemotePointers &Pointers, bool Requests,
                     Refusal &No);

} // namespace asyncmem

#endif
