// SPDX-License-Identifier: Apache-2.0

#include "transform/SharedReads.h"
#include "common/Instructions.h"
#include "frontend/Clauses.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace asyncmem;

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
