// SPDX-License-Identifier: Apache-2.0

#include "choice/OutsideValues.h"
#include "common/Target.h"
#include "schedule/Variables.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

/// A value that fills a register; addresses of local variables move into frames.
static bool isFromOutside(Value *V, ArrayRef<BasicBlock *> Blocks) {
  auto *I = dyn_cast<Instruction>(V);
  if (I ? is_contained(Blocks, I->getParent()) : !isa<Argument>(V))
    return false;
  if (V->getType()->isIntegerTy())
    return V->getType()->isIntegerTy(64);
  return V->getType()->isPointerTy() &&
         !isa<AllocaInst>(getUnderlyingObject(V, /*MaxLookup=*/0));
}

OutsideValues::OutsideValues(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      for (Use &U : I.operands())
        if (isFromOutside(U, Blocks) && !isa<PHINode>(I))
          Uses[U].push_back(&U);
}

void OutsideValues::keepApart(IRBuilderBase &B) {
  for (auto &[V, Found] : Uses) {
    Value *Own = keepInRegister(B, V);
    for (Use *U : Found)
      U->set(Own);
  }
}

void asyncmem::readyForPlain(IRBuilderBase &B, ArrayRef<BasicBlock *> Blocks,
                             unsigned Variables) {
  const Target Machine(*B.GetInsertBlock()->getModule());
  // Elsewhere the loop may become one of vectors, which has to know where they point.
  if (!Machine.mayHaveAmu())
    return;
  OutsideValues Values(Blocks);
  if (Values.size() + Variables > FewRegisters)
    return;
  Machine.clearDeadRegisters(B);
  Values.keepApart(B);
}
