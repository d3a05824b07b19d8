// SPDX-License-Identifier: Apache-2.0
// The prefetches of a plan (NearLines.h), put into the loop, and values of an inner
// loop's first iteration, computed in front of it for them.

#ifndef ASYNCMEM_NEARPREFETCHES_H
#define ASYNCMEM_NEARPREFETCHES_H

#include "loop/TaskLoop.h"

namespace llvm {
class Loop;
class Value;
} // namespace llvm

namespace asyncmem {

// Values of a loop's first iteration, computed in front of the loop.

/// \returns true if what \p V is in the first iteration of \p L, which has a
/// preheader, follows from values known there by a few pure operations.
bool isKnownAtEntry(const llvm::Value *V, const llvm::Loop &L);

/// \returns that value, computed at the end of the preheader of \p L.
llvm::Value *computeAtEntry(llvm::Value *V, const llvm::Loop &L);

/// Operands of llvm.prefetch: keep in all caches; data, not instructions.
inline constexpr unsigned HighLocality = 3;
inline constexpr unsigned DataCache = 1;

/// \returns the call of llvm.prefetch behind which a task waits, if \p Access,
/// the first one of its group, is such a call.
llvm::CallInst *rowPrefetch(llvm::Instruction *Access);

/// Inserts the prefetches of T.Near.
void insertPrefetches(TaskLoop &T);

} // namespace asyncmem

#endif
