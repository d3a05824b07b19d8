// SPDX-License-Identifier: Apache-2.0
// Plain updates of remote words that other tasks must not come between
// (RemoteUpdates.h): a task owns the word from the load to the store
// (OwnerTable.h).

#ifndef ASYNCMEM_EXCLUSIVEUPDATES_H
#define ASYNCMEM_EXCLUSIVEUPDATES_H

#include "loop/TaskLoop.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Lets tasks own the words of T.Updates from load to store. If there are any,
/// the remote atomic operations that are still whole own theirs, too.
void takeOwnership(TaskLoop &T, llvm::DominatorTree &DT, llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
