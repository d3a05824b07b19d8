// SPDX-License-Identifier: Apache-2.0
// Reads of variables that clauses let iterations share: as late as they can be, so
// that no remote access lies between such a read and an update that follows from it
// ("best < a[i]" reads best first), and one for those between which none lies
// ("best = x > best ? x : best" has two). Other iterations come between at remote
// accesses only.

#ifndef ASYNCMEM_SHAREDREADS_H
#define ASYNCMEM_SHAREDREADS_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Needs the accesses of \p T collected.
void readLate(TaskLoop &T);

} // namespace asyncmem

#endif
