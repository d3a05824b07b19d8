// SPDX-License-Identifier: Apache-2.0
// The first operand of AMU requests: address, size and, for bafin, the place
// where the task goes on (contract, "Encoding").

#ifndef ASYNCMEM_ADDRESSWORDS_H
#define ASYNCMEM_ADDRESSWORDS_H

#include "schedule/Suspension.h"
#include "schedule/TaskBlocks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// The address words of one loop's requests. What does not change from task to
/// task is computed once, at the end of Init, and kept in a register.
class AddressWords {
public:
  /// \p HasTargets: the words name the block at which the task resumes.
  AddressWords(llvm::Function &F, const TaskBlocks &Blocks, bool HasTargets)
      : F(F), Blocks(Blocks), HasTargets(HasTargets) {}

  /// The word of a request of 2^\p SizeLog2 bytes at \p Pointer, for which the
  /// task waits at \p S.
  llvm::Value *get(llvm::IRBuilderBase &B, llvm::Value *Pointer,
                   const Suspension &S, unsigned SizeLog2);

  /// The same for a place that is rarely reached: no register is spent on it.
  llvm::Value *computeHere(llvm::IRBuilderBase &B, llvm::Value *Pointer,
                           const Suspension &S, unsigned SizeLog2);

  /// The word without an address, computed here, too.
  llvm::Value *computeBits(llvm::IRBuilderBase &B, const Suspension &S,
                           unsigned SizeLog2);

  /// The address to which the targets in all words are relative; known after
  /// the first word.
  llvm::Value *targetBase(llvm::IRBuilderBase &B) const {
    return blockAddress(B, FirstTarget);
  }

private:
  llvm::Function &F;
  const TaskBlocks &Blocks;
  bool HasTargets;
  llvm::BasicBlock *FirstTarget = nullptr;
  /// Size and target of each request, in a register.
  llvm::DenseMap<std::pair<llvm::BasicBlock *, unsigned>, llvm::Value *> Bits;
  /// The same with a fixed address added to it.
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *>
      FixedWords;

  llvm::Value *bits(const Suspension &S, unsigned SizeLog2);
  bool isDefinedBeforeInit(llvm::Value *V) const;
  llvm::Value *blockAddress(llvm::IRBuilderBase &B, llvm::BasicBlock *BB) const;
};

} // namespace asyncmem

#endif
