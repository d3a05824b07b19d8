// SPDX-License-Identifier: Apache-2.0
// Dependences between iterations through memory.
//
// The pragma promises that iterations do not meet in memory but in updates by
// one commutative operation. What the compiler can see is not taken from the
// promise: a place that is certainly touched by two iterations, one of them
// writing, keeps the loop serial.
//
// Algorithm: all accesses are collected, but atomic ones and those under a lock. A read
// and a write of one place must have no suspension between, unless other iterations
// stay away. Each write is compared with each access: those that surely meet
// (AffineAccess.h) must commute, or come before the first suspension.
//
//   y[i + 3] = y[i] * 5;   iteration k writes what k + 3 reads: refused

#ifndef ASYNCMEM_LEGALITY_H
#define ASYNCMEM_LEGALITY_H

#include "common/Reports.h"
#include "common/TaskLoop.h"

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
