// SPDX-License-Identifier: Apache-2.0
// Marked pointers that the optimizer takes for other ones in each iteration
// (FreshFunction), from the first phase to the second.

#ifndef ASYNCMEM_HIDDENBASES_H
#define ASYNCMEM_HIDDENBASES_H

namespace llvm {
class Function;
class Loop;
} // namespace llvm

namespace asyncmem {

/// Hides from the optimizer that a marked pointer is the same in every
/// iteration of \p L: values must not be carried from one iteration's accesses
/// to the next one's, nor all accesses become one call of memcpy.
void hideBases(llvm::Loop &L);

/// Takes that back in \p F. \returns true if there was something.
bool showBases(llvm::Function &F);

} // namespace asyncmem

#endif
