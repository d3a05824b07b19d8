// SPDX-License-Identifier: Apache-2.0
// The control flow a loop must have to become tasks.

#ifndef ASYNCMEM_SHAPE_H
#define ASYNCMEM_SHAPE_H

#include "common/Refusal.h"
#include "loop/TaskLoop.h"

namespace asyncmem {

/// Fills in where \p T is entered, repeated and left; needs T.L and T.Blocks.
/// \returns false with \p No set if the loop cannot be transformed.
bool analyzeShape(TaskLoop &T, Refusal &No);

/// \returns true if neither inlining nor unrolling shows more of what \p L does: it is
/// innermost, without calls, but of intrinsics, and without atomic or volatile accesses.
bool isWhole(const llvm::Loop &L);

} // namespace asyncmem

#endif
