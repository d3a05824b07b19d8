// SPDX-License-Identifier: Apache-2.0
// Updates that may come in any order.

#ifndef ASYNCMEM_COMMUTATIVE_H
#define ASYNCMEM_COMMUTATIVE_H

#include "llvm/IR/InstrTypes.h"

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

} // namespace asyncmem

#endif
