// SPDX-License-Identifier: Apache-2.0
// How often an inner loop repeats, in terms of the counters that the marked loop has.
//
// Algorithm: LLVM's expander would give a recurrence of the marked loop a counter of its
// own, which no task would have. So each recurrence becomes a multiple of a phi that
// advances as it does: start + (step of it / step of the phi) * (phi - start of the phi).
//
//   for (i = a; i < n; i += 2) for (j = 0; j < 8 * i; ...)   {8a,+,16} -> 8a + 8 * (i - a)

#ifndef ASYNCMEM_REPEATCOUNTS_H
#define ASYNCMEM_REPEATCOUNTS_H

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
