// SPDX-License-Identifier: Apache-2.0

#ifndef ASYNCMEM_TASKBLOCKS_H
#define ASYNCMEM_TASKBLOCKS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace asyncmem {

/// The blocks around the task code. Entry state: Init is entered once with all
/// sequential and shared variables set; Launch computes the next iteration's
/// values, then runs the task of the current handler; a finished task branches
/// to Return; Finalize runs when no task is left.
struct TaskBlocks {
  llvm::BasicBlock *Init;
  llvm::BasicBlock *Launch;
  llvm::BasicBlock *Schedule;
  llvm::BasicBlock *Return;
  llvm::BasicBlock *Finalize;
  /// The code of the tasks; grows while suspensions are added.
  llvm::SmallVectorImpl<llvm::BasicBlock *> *Body;

  /// Adds blocks that were made from \p Behind to the code of the tasks.
  void addToBody(llvm::BasicBlock *Behind,
                 llvm::ArrayRef<llvm::BasicBlock *> New) const {
    Body->insert(std::next(llvm::find(*Body, Behind)), New.begin(), New.end());
  }
};

} // namespace asyncmem

#endif
