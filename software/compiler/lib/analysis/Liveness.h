// SPDX-License-Identifier: Apache-2.0
// Liveness of the values that one set of blocks defines.

#ifndef ASYNCMEM_LIVENESS_H
#define ASYNCMEM_LIVENESS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
} // namespace llvm

namespace asyncmem {

/// Backward dataflow over \p Blocks, each value one bit. A phi uses its operand
/// at the end of the incoming block. Edges that leave the set are ignored.
class Liveness {
public:
  explicit Liveness(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

  /// Values of the set that are live at the start of \p BB.
  llvm::SmallVector<llvm::Instruction *, 8>
  liveIn(const llvm::BasicBlock *BB) const;

  /// \returns true if \p V is needed after \p Definition was computed; a phi is
  /// computed at the start of its block.
  bool isLiveAfter(const llvm::Instruction &V,
                   const llvm::Instruction &Definition) const;

private:
  llvm::SmallVector<llvm::Instruction *, 64> Values;
  llvm::DenseMap<const llvm::Value *, unsigned> Number;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> In, Out;
};

} // namespace asyncmem

#endif
