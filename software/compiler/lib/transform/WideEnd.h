// SPDX-License-Identifier: Apache-2.0
// The end of a loop whose narrow counter the optimizer has widened, but for the
// comparison with its bound.

#ifndef ASYNCMEM_WIDEEND_H
#define ASYNCMEM_WIDEEND_H

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// Compares the counter of \p L, which has a preheader, with a bound as wide as it is,
/// instead of its lower bits in each iteration. That is where the loop is only entered
/// with the counter before the bound, and it advances by one.
void widenEnd(llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace asyncmem

#endif
