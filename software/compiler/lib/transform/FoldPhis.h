// SPDX-License-Identifier: Apache-2.0
// Phis of a loop that always have the value of something else: what is hidden
// behind them seems to depend on the control flow, and to the analyses an
// address computed from one is unknown.

#ifndef ASYNCMEM_FOLDPHIS_H
#define ASYNCMEM_FOLDPHIS_H

namespace llvm {
class DominatorTree;
class Loop;
} // namespace llvm

namespace asyncmem {

/// Replaces the phis of \p L, of its inner loops too, all of whose operands are
/// one value, through any cycle of phis, or are computed alike.
void foldPhis(llvm::Loop &L, const llvm::DominatorTree &DT);

} // namespace asyncmem

#endif
