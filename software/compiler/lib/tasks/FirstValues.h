// SPDX-License-Identifier: Apache-2.0
// Variables of inner loops that begin with constants. What the loop computes of two of
// them first, LLVM computes at compile time for its first round, and for all others at
// the end of the round before: in a block of its own, which must jump back. An
// instruction in front of the loop saves that jump in each round.

#ifndef ASYNCMEM_FIRSTVALUES_H
#define ASYNCMEM_FIRSTVALUES_H

#include "loop/TaskLoop.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Hides one of two such constants, where tasks wait in the inner loop and its round
/// ends in a branch.
void hideFirstValues(TaskLoop &T, const llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
