// SPDX-License-Identifier: Apache-2.0
// Variables of the body in memory: each task, and each level of a recursion, has its
// own, and so has each copy of an unrolled loop. Addresses in them are computed where
// they are used.
//
//   int v[4]; p = &v[1]; ... wait ... *p   ->   ... wait ... *(frame + 4)

#ifndef ASYNCMEM_BODYVARIABLES_H
#define ASYNCMEM_BODYVARIABLES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class AllocaInst;
class Argument;
class Function;
class Loop;
} // namespace llvm

namespace asyncmem {

/// Recomputes each address in one of \p Variables at each use.
void sinkAddresses(llvm::ArrayRef<llvm::AllocaInst *> Variables);

/// Recomputes each address at a constant distance from \p Object at each use.
void sinkFields(llvm::Argument &Object);

// Variables in memory that the bodies of several loops share: where a loop around
// the marked one was unrolled its copies have one place for a variable of the body.

/// Gives \p L, in \p F, places of its own for variables whose life starts in each of
/// its iterations, and again before each use elsewhere. \returns true if there are any.
bool separateBodyVariables(llvm::Loop &L, llvm::Function &F);

} // namespace asyncmem

#endif
