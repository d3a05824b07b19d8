// SPDX-License-Identifier: Apache-2.0
// How often branches of the body go which way.

#ifndef ASYNCMEM_BRANCHWEIGHTS_H
#define ASYNCMEM_BRANCHWEIGHTS_H

#include "loop/TaskLoop.h"

namespace llvm {
class BranchProbabilityInfo;
} // namespace llvm

namespace asyncmem {

/// Writes what LLVM guesses down at the branches of \p T: once the loop is taken
/// apart at suspensions, inner loops are none any more for later passes.
void keepBranchWeights(TaskLoop &T,
                       const llvm::BranchProbabilityInfo &Probabilities);

} // namespace asyncmem

#endif
