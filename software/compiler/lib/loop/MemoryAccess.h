// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomic operations alike.

#ifndef ASYNCMEM_MEMORYACCESS_H
#define ASYNCMEM_MEMORYACCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Support/Alignment.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Metadata;
class Type;
class Value;
} // namespace llvm

namespace asyncmem {

/// Pointer, value type, its size and alignment of any load, store or atomic operation.
llvm::Value *accessPointer(const llvm::Instruction *Access);
llvm::Type *accessType(const llvm::Instruction *Access);
unsigned accessBytes(const llvm::Instruction *Access);
llvm::Align accessAlignment(const llvm::Instruction *Access);

/// What a restrict pointer of a function is apart from, once the function has been
/// inlined: only as long as the declaration of that is not executed again.
using AliasScopes = llvm::SmallPtrSet<const llvm::Metadata *, 4>;

/// Adds those that \p I declares.
void addScopes(const llvm::Instruction &I, AliasScopes &Scopes);

/// \returns where \p Access, or a block that is written, may lie at any time, while
/// the scopes that are declared anew are \p Declared, or those of \p Blocks.
llvm::MemoryLocation anyPlace(const llvm::Instruction &Access,
                              const AliasScopes &Declared);
llvm::MemoryLocation anyPlace(const llvm::Instruction &Access,
                              llvm::ArrayRef<llvm::BasicBlock *> Blocks);

} // namespace asyncmem

#endif
