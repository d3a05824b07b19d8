// SPDX-License-Identifier: Apache-2.0
// Clang says where the life of a variable starts and ends, but for some of its
// temporaries (what a call returns or is given by value) and for variables whose
// declaration a jump may pass. Those of a loop body come to life in each iteration,
// so that each task has its own.

#ifndef ASYNCMEM_BODYVARIABLES_H
#define ASYNCMEM_BODYVARIABLES_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
} // namespace llvm

namespace asyncmem {

/// Starts the lives of variables in memory that only the body of \p L uses, if
/// none of them can be declared outside, that is if it \p May. \p Started are the
/// starts of loops around \p L that this has made; adds those it makes. \returns
/// false if there are such variables and it may not.
bool startBodyVariables(
    llvm::Loop &L, const llvm::DominatorTree &DT, bool May,
    llvm::SmallPtrSetImpl<const llvm::Instruction *> &Started);

} // namespace asyncmem

#endif
