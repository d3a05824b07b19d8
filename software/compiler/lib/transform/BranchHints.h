// SPDX-License-Identifier: Apache-2.0
// What the code generator is told of branches in the body.
//
// 1. Values chosen by remote data are selected without a branch: data that was worth a
//    switch is new to the core, so a branch is predicted badly. With the AMU those that
//    the next pass of an inner loop gets: a value that decides the next branch only delays
//    that. The plain loop keeps its branches, which start the next loads early; so do
//    prefetching tasks on NH-G, where a prefetch may be late.
// 2. How often branches go which way, as LLVM guesses while inner loops still are
//    loops: once the loop is taken apart at suspensions they are none any more.
//
//   found < key ? middle : high  ->  the same, marked as unpredictable; on NH-G
//                                    czero.eqz(middle, less) | czero.nez(high, less)

#ifndef ASYNCMEM_BRANCHHINTS_H
#define ASYNCMEM_BRANCHHINTS_H

#include "common/TaskLoop.h"

namespace llvm {
class BranchProbabilityInfo;
class Function;
} // namespace llvm

namespace asyncmem {

/// Marks the selects of \p T that depend on remote data as unpredictable; \p OnlyCarried:
/// of values that a phi takes.
void markSelects(TaskLoop &T, bool OnlyCarried);

/// Writes unpredictable selects of integers and pointers in \p F, code for NH-G, as
/// instructions of Zicond, for which the program as a whole is not compiled.
void expandMarkedSelects(llvm::Function &F);

/// Writes what LLVM guesses down at the branches of \p T: once the loop is taken
/// apart at suspensions, inner loops are none any more for later passes.
void keepBranchWeights(TaskLoop &T,
                       const llvm::BranchProbabilityInfo &Probabilities);

} // namespace asyncmem

#endif
