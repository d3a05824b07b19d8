// SPDX-License-Identifier: Apache-2.0
// What an iteration may write in memory that it has read ahead: rows, strips.

#ifndef ASYNCMEM_INNERSTORES_H
#define ASYNCMEM_INNERSTORES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class AAResults;
class BasicBlock;
class LoadInst;
class StoreInst;
} // namespace llvm

namespace asyncmem {

/// Adds to \p Found the stores of \p Blocks that may write what \p Load reads, in
/// any iteration of a loop around it. \returns false if something else may, whose
/// address cannot be compared.
bool findStores(const llvm::LoadInst &Load,
                llvm::ArrayRef<llvm::BasicBlock *> Blocks, llvm::AAResults &AA,
                llvm::SmallSetVector<llvm::StoreInst *, 2> &Found);

} // namespace asyncmem

#endif
