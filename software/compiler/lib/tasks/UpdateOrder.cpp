// SPDX-License-Identifier: Apache-2.0

#include "tasks/UpdateOrder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace asyncmem;

/// Collects in \p Operations what leads from a load of the place of \p Store to the
/// value that it writes. \returns true if such a load is met.
static bool collectUpdate(Value *V, const StoreInst &Store,
                          SmallPtrSetImpl<const Value *> &Seen,
                          SmallSetVector<Instruction *, 4> &Operations) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Seen.insert(I).second)
    return I && Operations.contains(I);
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->getPointerOperand() == Store.getPointerOperand();
  if (!isa<BinaryOperator, CastInst, PHINode, SelectInst>(I))
    return false;
  bool Updates = false;
  for (Value *Operand : I->operands())
    Updates |= collectUpdate(Operand, Store, Seen, Operations);
  if (Updates)
    Operations.insert(I);
  return Updates;
}

void asyncmem::forgetOrder(TaskLoop &T) {
  for (const SharedUpdate &S : T.Shared)
    for (Instruction *Update : S.Updates)
      Update->dropPoisonGeneratingFlags();
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (auto *Store = dyn_cast<StoreInst>(&I)) {
        SmallPtrSet<const Value *, 8> Seen;
        SmallSetVector<Instruction *, 4> Operations;
        collectUpdate(Store->getValueOperand(), *Store, Seen, Operations);
        for (Instruction *Operation : Operations)
          Operation->dropPoisonGeneratingFlags();
      }
}
