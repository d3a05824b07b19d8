// SPDX-License-Identifier: Apache-2.0

#include "transform/UnconditionalUpdates.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

/// \returns the value that leaves the other operand of \p Update as it is, null
/// if there is none or \p Old is not the operand that is updated.
static Constant *neutralFor(const Instruction &Update, unsigned OldOperand) {
  Type *Ty = Update.getType();
  unsigned Bits = Ty->getScalarSizeInBits();
  if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(&Update))
    switch (MinMax->getIntrinsicID()) {
    case Intrinsic::smax:
      return ConstantInt::get(Ty, APInt::getSignedMinValue(Bits));
    case Intrinsic::smin:
      return ConstantInt::get(Ty, APInt::getSignedMaxValue(Bits));
    case Intrinsic::umax:
      return ConstantInt::get(Ty, APInt::getMinValue(Bits));
    default:
      return ConstantInt::get(Ty, APInt::getMaxValue(Bits));
    }
  auto *Binary = dyn_cast<BinaryOperator>(&Update);
  if (!Binary || (OldOperand == 1 && !Binary->isCommutative()))
    return nullptr;
  return ConstantExpr::getBinOpIdentity(Binary->getOpcode(), Ty,
                                        /*AllowRHSConstant=*/true);
}

/// "c ? x : 0" is "x & (c ? ~0 : 0)", "c ? x : ~0" is "x | (c ? 0 : ~0)" for a
/// carried x. \returns false if \p Select is neither.
static bool makeBitwise(SelectInst &Select, const BasicBlock *Header) {
  for (bool OldOnTrue : {true, false}) {
    auto *Old = dyn_cast<PHINode>(OldOnTrue ? Select.getTrueValue()
                                            : Select.getFalseValue());
    auto *Absorbing = dyn_cast<ConstantInt>(OldOnTrue ? Select.getFalseValue()
                                                      : Select.getTrueValue());
    if (!Old || Old->getParent() != Header || !Absorbing ||
        !(Absorbing->isZero() || Absorbing->isMinusOne()))
      continue;
    IRBuilder<> B(&Select);
    Constant *Neutral = ConstantExpr::getNot(Absorbing);
    Value *Mask =
        B.CreateSelect(Select.getCondition(),
                       OldOnTrue ? Neutral : static_cast<Value *>(Absorbing),
                       OldOnTrue ? static_cast<Value *>(Absorbing) : Neutral);
    Select.replaceAllUsesWith(Absorbing->isZero() ? B.CreateAnd(Old, Mask)
                                                  : B.CreateOr(Old, Mask));
    Select.eraseFromParent();
    return true;
  }
  return false;
}

void asyncmem::makeUpdatesUnconditional(TaskLoop &T) {
  for (BasicBlock *BB : T.Blocks) {
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto *Select = dyn_cast<SelectInst>(&I);
      if (!Select || makeBitwise(*Select, T.L->getHeader()))
        continue;
      for (bool OnTrue : {true, false}) {
        auto *Update = dyn_cast<Instruction>(OnTrue ? Select->getTrueValue()
                                                    : Select->getFalseValue());
        Value *Old = OnTrue ? Select->getFalseValue() : Select->getTrueValue();
        if (!Update || !Update->hasOneUse() ||
            !isa<BinaryOperator, MinMaxIntrinsic>(Update) ||
            !isa<PHINode, BinaryOperator, MinMaxIntrinsic>(Old))
          continue;
        unsigned OldOperand = Update->getOperand(0) == Old ? 0 : 1;
        Constant *Neutral = Update->getOperand(OldOperand) == Old
                                ? neutralFor(*Update, OldOperand)
                                : nullptr;
        if (!Neutral)
          continue;
        IRBuilder<> B(Select);
        Value *By = Update->getOperand(1 - OldOperand);
        Value *Amount =
            B.CreateSelect(Select->getCondition(), OnTrue ? By : Neutral,
                           OnTrue ? Neutral : By);
        // Poison-generating flags held for the operands it had.
        Update->dropPoisonGeneratingFlags();
        Update->setOperand(0, Old);
        Update->setOperand(1, Amount);
        Update->moveBefore(Select);
        Select->replaceAllUsesWith(Update);
        Select->eraseFromParent();
        break;
      }
    }
  }
}
