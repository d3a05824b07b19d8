// SPDX-License-Identifier: Apache-2.0
// Copies of some blocks of a function beside the originals.

#ifndef ASYNCMEM_BLOCKCOPIES_H
#define ASYNCMEM_BLOCKCOPIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace asyncmem {

/// \returns copies of \p Blocks in their order, at the end of their function, which use
/// what \p Map says, completed by the copies. Scopes without aliases are each copy's own.
llvm::SmallVector<llvm::BasicBlock *, 16>
copyBlocks(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
           llvm::ValueToValueMapTy &Map, llvm::StringRef Suffix);

/// Values behind \p Blocks are those of the copies in \p Map, too.
void joinBehindCopies(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                      const llvm::ValueToValueMapTy &Map);

} // namespace asyncmem

#endif
