// SPDX-License-Identifier: Apache-2.0
// The marked loop in the form that the analyses know, once it is rotated.
//
// 1. Phis that inner forms of the loop have left behind are folded.
// 2. What the optimizer hands from one iteration to the next although each reads it
//    is read again.
// 3. Of tasks on the AMU: a product of the counter is a value that launch adds to.
//
//   for (a = r[0]; ...; a = b) { b = r[i + 1]; ... }  ->  for (...) { a = r[i]; b = r[i + 1]; ... }

#ifndef ASYNCMEM_LOOPFORMS_H
#define ASYNCMEM_LOOPFORMS_H

#include "common/TaskLoop.h"

namespace llvm {
class AAResults;
class DominatorTree;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

// Phis of a loop that always have the value of something else: what is hidden
// behind them seems to depend on the control flow, and to the analyses an
// address computed from one is unknown.

/// Replaces the phis of \p L, of its inner loops too, all of whose operands are
/// one value, through any cycle of phis, or are computed alike.
void foldPhis(llvm::Loop &L, const llvm::DominatorTree &DT);

// Values that the optimizer hands from one iteration to the next although each
// reads them: where the one before has read the same place last, as with the bounds
// of the rows of a sparse matrix. The other accesses of an iteration may change that
// place for all that is known, so that launch could not compute such a value; that
// they do not is the pragma's promise, once each iteration reads again.

/// Reads in \p L what it was handed, where the loop may write. \returns true if
/// something changed.
bool readAgain(llvm::Loop &L, llvm::ScalarEvolution &SE, llvm::AAResults &AA);

/// Lets launch add where a task multiplies a counter with a constant before it first
/// waits: the chain of operations in front of its first request is as much shorter. LLVM
/// does so for loops whose every turn is an iteration; a scheduler's is not.
void stepProducts(TaskLoop &T, llvm::ScalarEvolution &SE);

} // namespace asyncmem

#endif
