// SPDX-License-Identifier: Apache-2.0
// The inner loop that tasks share gets a form in which it runs a range of its
// iterations.

#ifndef ASYNCMEM_NESTEDRANGES_H
#define ASYNCMEM_NESTEDRANGES_H

#include "loop/TaskLoop.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// Makes the loop of T.Nested count from a begin to an end, and sets the calls
/// that stand for both. All its iterations, until these are replaced.
void countRange(TaskLoop &T, llvm::ScalarEvolution &SE, llvm::DominatorTree &DT,
                llvm::LoopInfo &LI);

/// Replaces the calls that are left in \p F: those loops run all iterations.
void resolveRanges(llvm::Function &F);

} // namespace asyncmem

#endif
