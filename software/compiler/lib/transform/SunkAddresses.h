// SPDX-License-Identifier: Apache-2.0
// Addresses in variables whose place is another one in each task or each level of
// a recursion (PrivateMemory.h), computed where they are used.

#ifndef ASYNCMEM_SUNKADDRESSES_H
#define ASYNCMEM_SUNKADDRESSES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class AllocaInst;
} // namespace llvm

namespace asyncmem {

/// Recomputes each address in one of \p Variables at each use.
void sinkAddresses(llvm::ArrayRef<llvm::AllocaInst *> Variables);

} // namespace asyncmem

#endif
