// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomic operations alike.

#ifndef ASYNCMEM_MEMORYACCESS_H
#define ASYNCMEM_MEMORYACCESS_H

#include "llvm/Support/Alignment.h"

namespace llvm {
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace asyncmem {

/// Pointer, value type, its size and alignment of any load, store or atomic operation.
llvm::Value *accessPointer(const llvm::Instruction *Access);
llvm::Type *accessType(const llvm::Instruction *Access);
unsigned accessBytes(const llvm::Instruction *Access);
llvm::Align accessAlignment(const llvm::Instruction *Access);

} // namespace asyncmem

#endif
