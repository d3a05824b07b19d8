// SPDX-License-Identifier: Apache-2.0
// Remote accesses that no request can make as a whole: copies and fills of a
// block, and on the AMU accesses of more than 8 bytes or at any address.

#ifndef ASYNCMEM_ACCESSPIECES_H
#define ASYNCMEM_ACCESSPIECES_H

#include "llvm/Support/Alignment.h"
#include <cstdint>

namespace llvm {
class Function;
class IRBuilderBase;
class Instruction;
class LoadInst;
class Loop;
class Value;
} // namespace llvm

namespace asyncmem {

/// Some of the bytes of an access: 1, 2, 4 or 8.
struct Piece {
  uint64_t Offset;
  uint64_t Bytes;
};

/// Loads \p P of what \p Old reads at \p Base; what is known about its aliases
/// holds for each piece.
llvm::LoadInst *loadPiece(llvm::IRBuilderBase &B, llvm::Value *Base,
                          llvm::Align Alignment, Piece P,
                          const llvm::Instruction &Old);

/// Splits such accesses of \p L into loads and stores of 1, 2, 4 or 8 bytes;
/// with \p NeedsAligned (requests of the AMU) into aligned ones. Blocks of
/// unknown or greater length stay.
void splitIntoPieces(llvm::Loop &L, llvm::Function &F, bool NeedsAligned);

} // namespace asyncmem

#endif
