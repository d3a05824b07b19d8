// SPDX-License-Identifier: Apache-2.0
// Values in terms of the counters that a loop has. LLVM's expander would give it a
// counter of its own, which no task would have.

#ifndef ASYNCMEM_COUNTERVALUES_H
#define ASYNCMEM_COUNTERVALUES_H

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// \returns \p S with the phis of \p L in place of its recurrences; null if one of
/// them is no multiple of a phi.
const llvm::SCEV *inTermsOfCounters(const llvm::SCEV *S, const llvm::Loop &L,
                                    llvm::ScalarEvolution &SE);

} // namespace asyncmem

#endif
