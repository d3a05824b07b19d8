// SPDX-License-Identifier: Apache-2.0
// Updates that may come in any order.

#ifndef ASYNCMEM_COMMUTATIVE_H
#define ASYNCMEM_COMMUTATIVE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

namespace asyncmem {

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
