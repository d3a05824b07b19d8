// SPDX-License-Identifier: Apache-2.0
// What a task computes of two values where ways meet in front of its request, and
// needs the values for nothing else. Computed on each way instead, one value meets
// in the place of two: where a way changes one of them while the other way still
// has use for the old one, that saves the copy of a register, and where a way has
// constants, all of it.

#ifndef ASYNCMEM_EARLYOPERATIONS_H
#define ASYNCMEM_EARLYOPERATIONS_H

namespace llvm {
class BranchProbabilityInfo;
class Function;
} // namespace llvm

namespace asyncmem {

/// Moves such operations of \p F out of the blocks with requests. A short block in
/// which ways meet before becomes part of each of them.
void computeEarly(llvm::Function &F,
                  const llvm::BranchProbabilityInfo &Probabilities);

} // namespace asyncmem

#endif
