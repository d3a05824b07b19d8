// SPDX-License-Identifier: Apache-2.0

#ifndef ASYNCMEM_TASKBLOCKS_H
#define ASYNCMEM_TASKBLOCKS_H

#include "schedule/RangeList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

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
  /// If tasks share an inner loop: the list of its ranges, and where the task of
  /// the current handler starts with a part of the one on top.
  std::shared_ptr<RangeList> Ranges;
  llvm::BasicBlock *Share = nullptr;

  /// Adds blocks that were made from \p Behind to the code of the tasks.
  void addToBody(llvm::BasicBlock *Behind,
                 llvm::ArrayRef<llvm::BasicBlock *> New) const {
    Body->insert(std::next(llvm::find(*Body, Behind)), New.begin(), New.end());
  }
};

} // namespace asyncmem

#endif
