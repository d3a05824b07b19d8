// SPDX-License-Identifier: Apache-2.0
// Plain updates of remote words, such as x[k[i]]++: between the load and the
// store of one task another one may update the same word. Unless the addresses
// surely differ from iteration to iteration, or a clause allows it, a task owns
// the word from the load to the store (OwnerTable.h).

#ifndef ASYNCMEM_EXCLUSIVEUPDATES_H
#define ASYNCMEM_EXCLUSIVEUPDATES_H

#include "asyncmem/TaskLoop.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// Fills T.Updates with those that another task may come between. \p Requests:
/// the accesses are requests of the AMU, at which tasks wait; else tasks may
/// wait at other remote loads between them. \returns false with \p No set if an
/// update cannot be made exclusive.
bool findRemoteUpdates(TaskLoop &T, llvm::ScalarEvolution &SE, bool Requests,
                       Refusal &No);

/// Empties T.Updates if no task waits during any of them, as T.Groups says where
/// tasks do.
void removeUndividedUpdates(TaskLoop &T);

/// Lets tasks own the words of T.Updates from load to store. If there are any,
/// the remote atomic operations that are still whole own theirs, too.
void takeOwnership(TaskLoop &T, llvm::DominatorTree &DT, llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
