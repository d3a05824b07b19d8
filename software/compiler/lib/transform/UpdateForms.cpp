// SPDX-License-Identifier: Apache-2.0
// Carried values in the forms that tasks can update in any order.
//
// 1. "c ? x op v : x" becomes "x op (c ? v : neutral)".
// 2. A value of which an iteration needs several versions gets a sum of its own in
//    each iteration, which it takes at its end.
// 3. A variable that clauses let iterations share is read as late as it can be, and
//    once where no remote access lies between two reads.
//
//   if (a[i] > 0) sum += a[i];  ->  sum += a[i] > 0 ? a[i] : 0;

#include "transform/Transforms.h"
#include "analysis/Analyses.h"
#include "common/Instructions.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/LoopInfo.h"
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

/// Finds what is wanted behind the loop. \returns false if that is not the last version.
static bool findUsesBehind(const TaskLoop &T, const SharedUpdate &S,
                           const Value *Last, SmallVectorImpl<Use *> &Found) {
  for (Instruction *Version : S.Chain)
    for (Use &U : Version->uses()) {
      auto *Phi = dyn_cast<PHINode>(U.getUser());
      if (T.L->contains(cast<Instruction>(U.getUser())))
        continue;
      if (!Phi || Version != Last || Phi->getIncomingBlock(U) != T.Latch)
        return false;
      Found.push_back(&U);
    }
  return true;
}

static bool sumInIteration(const TaskLoop &T, const SharedUpdate &S) {
  auto *Last = dyn_cast<Instruction>(S.Phi->getIncomingValueForBlock(T.Latch));
  auto *Update = dyn_cast<BinaryOperator>(S.Updates.front());
  SmallVector<Use *, 2> Behind;
  if (!Last || !Update || !findUsesBehind(T, S, Last, Behind))
    return false;
  // Subtractions count as additions.
  auto Opcode = Update->getOpcode() == Instruction::Sub ? Instruction::Add
                                                        : Update->getOpcode();
  Constant *Start = ConstantExpr::getBinOpIdentity(Opcode, S.Phi->getType());
  S.Phi->replaceUsesWithIf(Start, [&](const Use &U) {
    return T.L->contains(cast<Instruction>(U.getUser()));
  });
  for (Instruction *I : S.Updates)
    I->dropPoisonGeneratingFlags();
  IRBuilder<> B(T.Latch->getTerminator());
  B.SetCurrentDebugLocation(Last->getDebugLoc());
  Value *Sum = B.CreateBinOp(Opcode, S.Phi, Last);
  S.Phi->setIncomingValueForBlock(T.Latch, Sum);
  for (Use *U : Behind)
    U->set(Sum);
  return true;
}

bool asyncmem::sumInIterations(TaskLoop &T) {
  bool Changed = false;
  for (PHINode &Phi : T.Header->phis()) {
    std::optional<SharedUpdate> S;
    if (Phi.getType()->isIntegerTy() && (S = findManyVersions(T, &Phi)))
      Changed |= sumInIteration(T, *S);
  }
  return Changed;
}

static bool isSharedRead(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() && isInPlace(I);
}

/// Moves \p Load in front of what uses it first in its block, or may write.
static void sink(const TaskLoop &T, LoadInst &Load) {
  bool PassesRemote = false;
  Instruction *To = Load.getNextNode();
  for (; !To->isTerminator() && !To->mayWriteToMemory() &&
         !is_contained(To->operands(), &Load);
       To = To->getNextNode())
    PassesRemote |= T.isRemote(To);
  if (PassesRemote)
    Load.moveBefore(To);
}

/// \returns an earlier read of the same place on the only way to \p Load, with no
/// suspension and no write since.
static LoadInst *sameStep(const TaskLoop &T, LoadInst &Load) {
  Instruction *I = &Load;
  while (true) {
    BasicBlock *BB = I->getParent();
    I = I->getPrevNode();
    if (!I) {
      BasicBlock *Before =
          BB == T.Header ? nullptr : BB->getSinglePredecessor();
      if (!Before)
        return nullptr;
      I = Before->getTerminator();
    }
    auto *Other = dyn_cast<LoadInst>(I);
    if (Other && isSharedRead(*Other) && Other->getType() == Load.getType() &&
        Other->getPointerOperand() == Load.getPointerOperand())
      return Other;
    if (T.isRemote(I) || isLock(*I) || I->mayWriteToMemory())
      return nullptr;
  }
}

void asyncmem::readLate(TaskLoop &T) {
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if (isSharedRead(I))
        sink(T, cast<LoadInst>(I));
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if (isSharedRead(I))
        if (LoadInst *Other = sameStep(T, cast<LoadInst>(I))) {
          I.replaceAllUsesWith(Other);
          I.eraseFromParent();
        }
}
