// SPDX-License-Identifier: Apache-2.0
// Plain updates of remote words, such as x[k[i]]++: between the load and the
// store of one task another one may update the same word, unless the addresses
// surely differ from iteration to iteration, or a clause allows it.

#ifndef ASYNCMEM_REMOTEUPDATES_H
#define ASYNCMEM_REMOTEUPDATES_H

#include "common/Refusal.h"
#include "loop/TaskLoop.h"

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// Fills T.Updates with those that another task may come between. \p Requests:
/// the accesses are requests of the AMU, at which tasks wait; else tasks may
/// wait at other remote loads between them. If they do in none, all are there,
/// too, so that no access moves and divides one. \returns false with \p No set if
/// an update cannot be made exclusive.
bool findRemoteUpdates(TaskLoop &T, llvm::ScalarEvolution &SE, bool Requests,
                       Refusal &No);

/// Empties T.Updates if no task waits during any of them, as T.Groups says where
/// tasks do.
void removeUndividedUpdates(TaskLoop &T);

} // namespace asyncmem

#endif
