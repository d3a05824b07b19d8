// SPDX-License-Identifier: Apache-2.0
// The explicit stack of a nested coroutine: equal levels, one an activation.

#ifndef ASYNCMEM_LEVELSTACK_H
#define ASYNCMEM_LEVELSTACK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// First fields are added, then setSize, then the code that changes levels, at
/// last allocate.
class LevelStack {
public:
  /// \p Level is a 64-bit variable for the bytes from the start of the stack to
  /// the level of the activation; \p Entry is the function's first block, which
  /// has no end yet.
  LevelStack(llvm::AllocaInst *Level, llvm::BasicBlock &Entry);

  /// Adds \p Bytes behind \p End, which becomes the end of the new field.
  /// \returns the offset of the field on its level.
  unsigned addField(unsigned &End, uint64_t Bytes, llvm::Align FieldAlignment);

  /// Makes \p Memory fields at the start of a level.
  void moveMemory(llvm::ArrayRef<llvm::AllocaInst *> Memory);

  /// As many levels as fit into \p StackBytes, at least one, at most
  /// \p MaxLevels.
  void setSize(unsigned MaxLevels, unsigned StackBytes);

  unsigned levels() const { return Levels; }
  /// Bytes of a level, before setSize of its fields.
  unsigned levelBytes() const { return LevelBytes; }

  /// Address of byte \p Offset of the level.
  llvm::Value *place(llvm::IRBuilderBase &B, unsigned Offset) const;

  llvm::Value *isFirst(llvm::IRBuilderBase &B) const;
  llvm::Value *isLast(llvm::IRBuilderBase &B) const;
  void raise(llvm::IRBuilderBase &B) const;
  void lower(llvm::IRBuilderBase &B) const;

  /// Allocates the stack, at its first level, where \p B stands in the entry.
  void allocate(llvm::IRBuilderBase &B);

private:
  llvm::AllocaInst *Level;
  /// Stands for the stack until its size is known.
  llvm::AllocaInst *Stack;
  llvm::Align Alignment = llvm::Align(8);
  unsigned Levels = 0;
  unsigned LevelBytes = 0;

  llvm::Value *level(llvm::IRBuilderBase &B) const;
};

} // namespace asyncmem

#endif
