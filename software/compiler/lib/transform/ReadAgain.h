// SPDX-License-Identifier: Apache-2.0
// Values that the optimizer hands from one iteration to the next although each
// reads them: where the one before has read the same place last, as with the bounds
// of the rows of a sparse matrix. The other accesses of an iteration may change that
// place for all that is known, so that launch could not compute such a value; that
// they do not is the pragma's promise, once each iteration reads again.

#ifndef ASYNCMEM_READAGAIN_H
#define ASYNCMEM_READAGAIN_H

namespace llvm {
class AAResults;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// Reads in \p L what it was handed, where the loop may write. \returns true if
/// something changed.
bool readAgain(llvm::Loop &L, llvm::ScalarEvolution &SE, llvm::AAResults &AA);

} // namespace asyncmem

#endif
