// SPDX-License-Identifier: Apache-2.0
// What some instructions mean: calls of the functions in Names.h, of the C library and
// of what ends the program; updates that may come in any order.

#ifndef ASYNCMEM_INSTRUCTIONS_H
#define ASYNCMEM_INSTRUCTIONS_H

#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace asyncmem {

/// \returns true if \p I is a direct call of the function \p Name.
bool callsFunction(const llvm::Instruction &I, llvm::StringRef Name);

/// Calls the function \p Name, which has no result, where \p B stands.
llvm::CallInst *callFunction(llvm::IRBuilderBase &B, llvm::StringRef Name,
                             llvm::ArrayRef<llvm::Value *> Arguments);

/// \returns true if \p I only says something about a pointer.
bool isMark(const llvm::Instruction &I);

/// \returns true if \p I, a mark of the compiler's own, says that its loop has none.
bool saysUnmarked(const llvm::Instruction &I);

/// \returns true if \p I is a call of asyncmem_lock, at which a task may wait,
/// or of asyncmem_unlock.
bool isLock(const llvm::Instruction &I);
bool isUnlock(const llvm::Instruction &I);

/// \returns true if \p I takes memory from the heap or gives it back: tasks may
/// do so in any order.
bool isHeapCall(const llvm::Instruction &I);

/// \returns true if \p I is memcmp or bcmp of the C library: of two places, so
/// many bytes.
bool isCompare(const llvm::Instruction &I);

/// What strlen, strcmp and the like read: one string to its end, or two as far as
/// they are alike.
struct StringRead {
  llvm::Value *String, *Other = nullptr;
  /// Not more than so many bytes, if it is not null.
  llvm::Value *Most = nullptr;
};

/// \returns what \p I reads if it calls one of these functions of C.
std::optional<StringRead> stringRead(const llvm::Instruction &I);

/// \returns true if \p I calls a function of the compiler's runtime that multiplies
/// or divides complex numbers, or one by which the headers of NH-G's C library look
/// at a number; none of them reads or writes memory.
bool isArithmetic(const llvm::Instruction &I);

/// \returns true if \p I calls a function of math.h that does nothing else but set
/// errno.
bool maySetErrno(const llvm::Instruction &I);

/// \returns true if \p I ends the program and runs none of its code before.
bool isFatal(const llvm::Instruction &I);

/// \returns true if something in \p BB does.
bool endsFatally(const llvm::BasicBlock &BB);

/// \returns the operation by which \p Update changes \p Old, one of its
/// operands, if updates by it may come in any order, else 0. A subtraction
/// counts as an addition.
inline unsigned commutativeOpcode(const llvm::BinaryOperator &Update,
                                  const llvm::Value *Old) {
  bool IsFirst = Update.getOperand(0) == Old;
  if (IsFirst && Update.getOperand(1) == Old)
    return 0;
  if (Update.getOpcode() == llvm::Instruction::Sub)
    return IsFirst ? unsigned(llvm::Instruction::Add) : 0;
  return Update.isCommutative() && Update.isAssociative() ? Update.getOpcode()
                                                          : 0;
}

/// \returns the operation of "place = place op value" if \p Store and \p Load
/// are nothing but that, else 0.
inline unsigned updateOpcode(const llvm::StoreInst &Store,
                             const llvm::LoadInst &Load) {
  auto *Update = llvm::dyn_cast<llvm::BinaryOperator>(Store.getValueOperand());
  if (!Update || !Update->hasOneUse() || !Load.hasOneUse() ||
      !llvm::is_contained(Update->operands(), &Load))
    return 0;
  return commutativeOpcode(*Update, &Load);
}

} // namespace asyncmem

#endif
