// SPDX-License-Identifier: Apache-2.0
// Callees that call themselves, directly or through others: which functions
// belong together, and whether tasks can run them as nested coroutines.

#ifndef ASYNCMEM_RECURSION_H
#define ASYNCMEM_RECURSION_H

#include "common/Options.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace asyncmem {

/// Functions that can be reached from one another by direct calls; the first
/// one is where the recursion starts. Empty if that one is not recursive.
using RecursiveGroup = llvm::SmallSetVector<llvm::Function *, 4>;

RecursiveGroup recursiveGroup(llvm::Function &F);

/// \returns the calls in \p F of members of \p Group.
llvm::SmallVector<llvm::CallBase *, 4> callsInto(const RecursiveGroup &Group,
                                                 llvm::Function &F);

/// \returns null if tasks of a loop of \p Caller can run \p Group level by
/// level, else why not.
const char *checkGroup(const RecursiveGroup &Group,
                       const llvm::Function &Caller, const Options &Opts);

} // namespace asyncmem

#endif
