// SPDX-License-Identifier: Apache-2.0
// Values of a loop's first iteration, computed in front of the loop.

#ifndef ASYNCMEM_LOOPENTRY_H
#define ASYNCMEM_LOOPENTRY_H

namespace llvm {
class Loop;
class Value;
} // namespace llvm

namespace asyncmem {

/// \returns true if what \p V is in the first iteration of \p L, which has a
/// preheader, follows from values known there by a few pure operations.
bool isKnownAtEntry(const llvm::Value *V, const llvm::Loop &L);

/// \returns that value, computed at the end of the preheader of \p L.
llvm::Value *computeAtEntry(llvm::Value *V, const llvm::Loop &L);

} // namespace asyncmem

#endif
