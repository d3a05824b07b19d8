// SPDX-License-Identifier: Apache-2.0
// Variables in memory that the bodies of several loops share.
//
// Algorithm: where a loop around the marked one was unrolled, its copies have one place
// for a variable of the body. A copy in whose iterations the variable's life starts, and
// again before each use elsewhere, gets a place of its own.
//
//   L1: v = ...; f(&v);  L2: v = ...; f(&v);   ->   L1 has v, L2 has v.own

#ifndef ASYNCMEM_BODYVARIABLES_H
#define ASYNCMEM_BODYVARIABLES_H

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
