// SPDX-License-Identifier: Apache-2.0
// Exits of a loop at which the program ends: abort, a failed assertion, a check
// of the undefined behaviour sanitizer, a place that cannot be reached.

#ifndef ASYNCMEM_FATALEXITS_H
#define ASYNCMEM_FATALEXITS_H

namespace llvm {
class Loop;
} // namespace llvm

namespace asyncmem {

/// Makes fatal exits a part of the iteration: what follows them, never run, is
/// a way on through \p L, so that they decide about no other iteration.
/// \returns true if the control flow changed.
bool keepFatalExits(llvm::Loop &L);

} // namespace asyncmem

#endif
