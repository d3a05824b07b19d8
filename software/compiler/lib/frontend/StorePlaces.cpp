// SPDX-License-Identifier: Apache-2.0

#include "frontend/StorePlaces.h"
#include "common/ModuleOptions.h"
#include "common/Names.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

static constexpr char PlaceFunction[] = "__asyncmem_place";

static Function *placeFunction(Module &M) {
  auto *F = cast<Function>(
      M.getOrInsertFunction(PlaceFunction, Type::getVoidTy(M.getContext()))
          .getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (Attribute::AttrKind Kind :
       {Attribute::NoMerge, Attribute::WillReturn, Attribute::NoUnwind,
        Attribute::NoSync, Attribute::NoCallback, Attribute::NoFree})
    F->addFnAttr(Kind);
  return F;
}

PreservedAnalyses KeepStorePlacesPass::run(Module &M, ModuleAnalysisManager &) {
  if (!M.getNamedMetadata(PragmaList) ||
      readOptions(M).Scheduler != SchedulerKind::Check)
    return PreservedAnalyses::all();
  SmallVector<StoreInst *, 32> Stores;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      // Other stores to local variables will be none.
      if (auto *Store = dyn_cast<StoreInst>(&I);
          Store && !isa<AllocaInst>(Store->getPointerOperand()))
        Stores.push_back(Store);
  for (StoreInst *Store : Stores) {
    IRBuilder<> B(Store->getNextNode());
    B.SetCurrentDebugLocation(Store->getDebugLoc());
    B.CreateCall(placeFunction(M))->addFnAttr(Attribute::NoMerge);
  }
  return PreservedAnalyses::none();
}

bool asyncmem::removeStorePlaces(Module &M) {
  Function *F = M.getFunction(PlaceFunction);
  if (!F)
    return false;
  for (User *U : make_early_inc_range(F->users()))
    cast<Instruction>(U)->eraseFromParent();
  F->eraseFromParent();
  return true;
}
