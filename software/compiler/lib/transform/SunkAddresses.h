// SPDX-License-Identifier: Apache-2.0
// Addresses in variables whose place is another one in each task or each level of
// a recursion (CollectAccesses.h), computed where they are used.

#ifndef ASYNCMEM_SUNKADDRESSES_H
#define ASYNCMEM_SUNKADDRESSES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class AllocaInst;
class Argument;
} // namespace llvm

namespace asyncmem {

/// Recomputes each address in one of \p Variables at each use.
void sinkAddresses(llvm::ArrayRef<llvm::AllocaInst *> Variables);

/// Recomputes each address at a constant distance from \p Object at each use.
void sinkFields(llvm::Argument &Object);

} // namespace asyncmem

#endif
