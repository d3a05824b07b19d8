// SPDX-License-Identifier: Apache-2.0

#include "requests/InnerStores.h"
#include "analysis/CollectAccesses.h"
#include "common/Instructions.h"
#include "loop/Request.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

bool changesNoData(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return isLock(I) || isUnlock(I) || isLifetime(I) ||
         (Intrinsic && (isa<DbgInfoIntrinsic>(Intrinsic) ||
                        Intrinsic->isAssumeLikeIntrinsic() ||
                        Intrinsic->getIntrinsicID() == Intrinsic::prefetch));
}

const AllocaInst *local(const StoreInst &Store) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Store.getPointerOperand()));
}

/// A variable that is kept in place (InPlaceTag) counts as captured.
bool isApart(const StoreInst &Store, const MemoryLocation &Place,
             AAResults &AA) {
  const AllocaInst *Variable = local(Store);
  return (Variable && !escapingUse(Variable, /*MayCall=*/false)) ||
         AA.isNoAlias(MemoryLocation::get(&Store), Place);
}

} // namespace

bool asyncmem::findStores(const LoadInst &Load, ArrayRef<BasicBlock *> Blocks,
                          AAResults &AA,
                          SmallSetVector<StoreInst *, 2> &Found) {
  const MemoryLocation Place = anyPlace(Load, Blocks);
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      if (!I.mayWriteToMemory() || changesNoData(I))
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store ? isApart(*Store, Place, AA)
                : !isModSet(AA.getModRefInfo(&I, Place)))
        continue;
      if (!Store || local(*Store))
        return false;
      Found.insert(Store);
    }
  return true;
}
