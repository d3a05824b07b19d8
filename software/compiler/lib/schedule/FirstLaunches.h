// SPDX-License-Identifier: Apache-2.0
// A launch is reached from two sides: for tasks that never ran, and, nearly always,
// from the end of another task, whose registers hold frame, slot and ID. Where both
// share the code, it computes them anew. So the first launches get a copy of it.

#ifndef ASYNCMEM_FIRSTLAUNCHES_H
#define ASYNCMEM_FIRSTLAUNCHES_H

#include "schedule/TaskBlocks.h"
#include "schedule/Variables.h"

namespace asyncmem {

/// Copies the code from Launch to the first suspension, as far as nothing else leads
/// to it, and sends \p First there, whose jumps to Launch are for tasks that never
/// ran. Comes when the tasks are complete, before variables become values. Long code
/// stays as it is.
void copyFirstLaunches(const TaskBlocks &Blocks, Variables &Vars,
                       llvm::ArrayRef<llvm::BasicBlock *> First);

} // namespace asyncmem

#endif
