// SPDX-License-Identifier: Apache-2.0
// Dependences between iterations through memory.
//
// The pragma promises that iterations do not meet in memory but in updates by
// one commutative operation. What the compiler can see is not taken from the
// promise: a place that is certainly touched by two iterations, one of them
// writing, keeps the loop serial.

#ifndef ASYNCMEM_LEGALITY_H
#define ASYNCMEM_LEGALITY_H

#include "common/Refusal.h"
#include "loop/TaskLoop.h"

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// \returns false with \p No set if tasks would show another order of accesses
/// than iterations do. Needs the carried values classified.
bool checkMemoryDependences(TaskLoop &T, llvm::ScalarEvolution &SE,
                            Refusal &No);

} // namespace asyncmem

#endif
