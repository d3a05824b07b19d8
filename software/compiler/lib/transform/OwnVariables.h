// SPDX-License-Identifier: Apache-2.0
// Variables in memory that the bodies of several loops share: where a loop around
// the marked one was unrolled its copies have one place for a variable of the body.

#ifndef ASYNCMEM_OWNVARIABLES_H
#define ASYNCMEM_OWNVARIABLES_H

namespace llvm {
class Function;
class Loop;
} // namespace llvm

namespace asyncmem {

/// Gives \p L, in \p F, places of its own for variables whose life starts in each of
/// its iterations, and again before each use elsewhere. \returns true if there are any.
bool separateBodyVariables(llvm::Loop &L, llvm::Function &F);

} // namespace asyncmem

#endif
