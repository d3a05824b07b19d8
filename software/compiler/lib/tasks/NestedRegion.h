// SPDX-License-Identifier: Apache-2.0
// The code that tasks share of an inner loop (NestedTasks.h), and what the task that
// came to the loop does behind it.

#ifndef ASYNCMEM_NESTEDREGION_H
#define ASYNCMEM_NESTEDREGION_H

#include "common/BlockWalk.h"
#include "common/Refusal.h"
#include "loop/TaskLoop.h"

namespace asyncmem {

struct NestedRegion {
  /// The first block of a range, its loop's end, and what is reached behind that.
  llvm::BasicBlock *Entry = nullptr, *Latch = nullptr, *Exit = nullptr;
  BlockSet<llvm::BasicBlock> Blocks, Behind;
};

/// \returns the region of T.Nested once the marked loop is taken apart; \p Inner is
/// that loop, null if there is none any more. Nothing if it cannot be shared after
/// all, as \p No says: the loop is not what it was when it was chosen, or reads what
/// only its own task has in its slot.
std::optional<NestedRegion>
findNestedRegion(const TaskLoop &T, const llvm::Loop *Inner, Refusal &No);

} // namespace asyncmem

#endif
