// SPDX-License-Identifier: Apache-2.0

#include "tasks/EarlyOperations.h"
#include "common/Names.h"
#include "schedule/Variables.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <vector>

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns true if ways meet in \p BB that lead nowhere else, and it is as short
/// as a comparison of what they bring.
bool mayBelongToWays(const BasicBlock &BB) {
  unsigned Comparisons = 0;
  for (const Instruction &I : BB.instructionsWithoutDebug()) {
    if (!isa<PHINode, CmpInst, BranchInst>(I))
      return false;
    Comparisons += isa<CmpInst>(I);
  }
  return Comparisons <= 1 && !BB.hasAddressTaken() &&
         BB.hasNPredecessorsOrMore(2) &&
         all_of(predecessors(&BB), [](const BasicBlock *Before) {
           auto *End = dyn_cast<BranchInst>(Before->getTerminator());
           return End && End->isUnconditional();
         });
}

/// Makes \p Join the end of each way to it.
void giveToWays(BasicBlock &Join) {
  assert(mayBelongToWays(Join) && "the ways lead elsewhere, too");
  SmallVector<BasicBlock *, 4> Ways(predecessors(&Join));
  std::vector<ValueToValueMapTy> Values(Ways.size());
  for (auto [Way, Own] : zip(Ways, Values)) {
    Instruction *End = Way->getTerminator();
    for (Instruction &I : Join) {
      if (isa<PHINode>(I)) {
        Own[&I] = I.DoPHITranslation(&Join, Way);
        continue;
      }
      Instruction *Copy = I.clone();
      Copy->insertBefore(End);
      RemapInstruction(Copy, Own,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      Own[&I] = Copy;
    }
    End->eraseFromParent();
    for (BasicBlock *Next : successors(Way))
      for (PHINode &Phi : Next->phis()) {
        Value *V = Phi.getIncomingValueForBlock(&Join);
        Value *Copy = Own.lookup(V);
        Phi.addIncoming(Copy ? Copy : V, Way);
      }
  }
  for (BasicBlock *Next : successors(&Join))
    Next->removePredecessor(&Join, /*KeepOneInputPHIs=*/true);
  Join.getTerminator()->eraseFromParent();
  for (Instruction &I : Join) {
    if (I.use_empty())
      continue;
    SSAUpdater Updater;
    Updater.Initialize(I.getType(), I.getName());
    for (auto [Way, Own] : zip(Ways, Values))
      Updater.AddAvailableValue(Way, Own.lookup(&I));
    for (Use &U : make_early_inc_range(I.uses()))
      if (cast<Instruction>(U.getUser())->getParent() != &Join)
        Updater.RewriteUse(U);
  }
  Join.dropAllReferences();
  Join.eraseFromParent();
}

/// Narrower values are extended anew behind what keeps them in place.
constexpr unsigned RegisterBits = 64;

class Operation {
public:
  Operation(BinaryOperator &I, const BranchProbabilityInfo &Probabilities)
      : I(I), Probabilities(Probabilities) {}

  /// \returns true if each way is likely to come to the operation, and one of them
  /// gains.
  bool pays() const {
    BasicBlock &BB = *I.getParent();
    PHINode *Left = phi(0), *Right = phi(1);
    if (!Left || !Right || !I.getType()->isIntegerTy(RegisterBits) ||
        !isSafeToSpeculativelyExecute(&I))
      return false;
    bool Gains = false;
    for (BasicBlock *Before : predecessors(&BB)) {
      if (isSimple(*Before)) {
        Gains = true;
        continue;
      }
      // A value of the terminator itself comes too late.
      if (!isa<BranchInst>(Before->getTerminator()) ||
          Probabilities.getEdgeProbability(Before, &BB) <
              BranchProbability(1, 2))
        return false;
      if (isJoinedIn(*Before)) {
        if (!mayBelongToWays(*Before))
          return false;
        Gains = true;
      }
    }
    return Gains;
  }

  void move() {
    BasicBlock &BB = *I.getParent();
    PHINode *Left = phi(0), *Right = phi(1);
    for (BasicBlock *Before : SmallVector<BasicBlock *, 4>(predecessors(&BB)))
      if (!isSimple(*Before) && isJoinedIn(*Before))
        giveToWays(*Before);
    auto *Result = PHINode::Create(I.getType(), pred_size(&BB), "", Left);
    Result->takeName(&I);
    for (BasicBlock *Before : predecessors(&BB)) {
      int Same = Result->getBasicBlockIndex(Before);
      Result->addIncoming(
          Same >= 0 ? Result->getIncomingValue(Same)
                    : compute(*Left->getIncomingValueForBlock(Before),
                              *Right->getIncomingValueForBlock(Before),
                              Before->getTerminator()),
          Before);
    }
    I.replaceAllUsesWith(Result);
    I.eraseFromParent();
    for (PHINode *Phi : {Left, Right})
      Phi->eraseFromParent();
  }

private:
  BinaryOperator &I;
  const BranchProbabilityInfo &Probabilities;

  /// \returns the operand, if it is needed for nothing else.
  PHINode *phi(unsigned Operand) const {
    auto *Phi = dyn_cast<PHINode>(I.getOperand(Operand));
    return Phi && Phi->getParent() == I.getParent() && Phi->hasOneUse()
               ? Phi
               : nullptr;
  }

  Value *incoming(unsigned Operand, BasicBlock &Before) const {
    return phi(Operand)->getIncomingValueForBlock(&Before);
  }

  /// \returns true if ways meet in \p Before that bring the operands.
  bool isJoinedIn(BasicBlock &Before) const {
    return any_of(ArrayRef<unsigned>({0, 1}), [&](unsigned Operand) {
      auto *Phi = dyn_cast<PHINode>(incoming(Operand, Before));
      return Phi && Phi->getParent() == &Before;
    });
  }

  /// \returns true if behind \p Before there is nothing to compute.
  bool isSimple(BasicBlock &Before) const {
    return simplified(incoming(0, Before), incoming(1, Before));
  }

  Value *simplified(Value *A, Value *B) const {
    return simplifyBinOp(I.getOpcode(), A, B,
                         SimplifyQuery(I.getModule()->getDataLayout()));
  }

  Value *compute(Value &A, Value &B, Instruction *Position) const {
    if (Value *Simple = simplified(&A, &B))
      return Simple;
    Instruction *Copy = I.clone();
    Copy->setOperand(0, &A);
    Copy->setOperand(1, &B);
    Copy->insertBefore(Position);
    if (Position->getNumSuccessors() == 1)
      return Copy;
    // The code generator would move it behind the branch, into a block of its own
    // with a jump.
    IRBuilder<> Builder(Position);
    return keepInRegister(Builder, Copy);
  }
};

} // namespace

void asyncmem::computeEarly(Function &F,
                            const BranchProbabilityInfo &Probabilities) {
  for (BasicBlock &BB : F) {
    if (none_of(BB, [](Instruction &I) { return I.getMetadata(SwitchTag); }))
      continue;
    for (Instruction &I : make_early_inc_range(BB))
      if (auto *Binary = dyn_cast<BinaryOperator>(&I)) {
        Operation Early(*Binary, Probabilities);
        if (Early.pays())
          Early.move();
      }
  }
}
