// SPDX-License-Identifier: Apache-2.0

#include "transform/IterationSums.h"
#include "analysis/Classify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace asyncmem;

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
