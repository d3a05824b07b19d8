// SPDX-License-Identifier: Apache-2.0
// What the first phase adds to the body of a marked loop so that passes keep it as it
// is: starts of its variables' lives, other names for marked pointers, and calls
// behind stores.
//
// Algorithm: a variable that only iterations use starts its life where their bodies begin,
// unless Clang says where. Loads of a marked pointer that stays the same become one result
// of an unknown function in each iteration, until showBases() takes that back. With the
// checker each store gets a call behind it that passes may not merge.
//
//   for (...) x = p[i];   ->   for (...) { q = fresh(p); x = q[i]; }   ->   for (...) x = p[i];

#include "frontend/Clauses.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "common/Options.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

/// \returns true if only iterations of \p L, or ways out of them, use \p A, none
/// in a condition that is copied in front of the loop, and nothing says where the
/// life of \p A starts.
static bool
isBodyVariable(const AllocaInst &A, const Loop &L, const DominatorTree &DT,
               const SmallPtrSetImpl<const Instruction *> &Started) {
  const BasicBlock *Header = L.getHeader();
  bool IsCopied = startOfBody(L) != Header;
  auto IsInside = [&](const User *U) {
    return L.contains(cast<Instruction>(U));
  };
  return A.isStaticAlloca() && !isAllocaPromotable(&A) &&
         any_of(A.users(), IsInside) && all_of(A.users(), [&](const User *U) {
           auto *I = cast<Instruction>(U);
           auto *Intrinsic = dyn_cast<IntrinsicInst>(I);
           bool Lives = Intrinsic && Intrinsic->isLifetimeStartOrEnd();
           bool InHeader = IsCopied && I->getParent() == Header;
           return Started.contains(I) ||
                  (!Lives && !InHeader && DT.dominates(Header, I->getParent()));
         });
}

bool asyncmem::startBodyVariables(
    Loop &L, const DominatorTree &DT, bool May,
    SmallPtrSetImpl<const Instruction *> &Started) {
  SmallVector<AllocaInst *, 8> Variables;
  for (Instruction &I : L.getHeader()->getParent()->getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (isBodyVariable(*A, L, DT, Started))
        Variables.push_back(A);
  if (!May)
    return Variables.empty();
  for (AllocaInst *A : Variables)
    Started.insert(startLife(A, nullptr, L));
  return true;
}

/// \returns true if \p A is the same pointer in all of an iteration of \p L, which
/// only reads it: nothing has its address.
static bool isFixed(const AllocaInst &A, const Loop &L) {
  return all_of(A.users(), [&](const User *U) {
    auto *I = cast<Instruction>(U);
    auto *Load = dyn_cast<LoadInst>(I);
    if (L.contains(I) || Load)
      return Load && Load->isSimple() && Load->getType()->isPointerTy();
    auto *Store = dyn_cast<StoreInst>(I);
    return Store ? Store->getValueOperand() != &A
                 : I->isLifetimeStartOrEnd() || callsFunction(*I, MarkFunction);
  });
}

/// \returns true if something in \p F is marked by the program.
static bool hasMarks(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return callsFunction(I, RemoteFunction) && !saysUnmarked(I);
  });
}

void asyncmem::markIfUnmarked(Loop &L) {
  SmallSetVector<Function *, 8> Functions;
  auto AddCallees = [&](BasicBlock &BB) {
    for (Instruction &I : BB)
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction())
          Functions.insert(Callee);
  };
  for (BasicBlock *BB : L.blocks())
    AddCallees(*BB);
  for (unsigned N = 0; N != Functions.size(); ++N)
    for (BasicBlock &BB : *Functions[N])
      AddCallees(BB);
  Functions.insert(L.getHeader()->getParent());
  if (any_of(Functions, [](const Function *F) { return hasMarks(*F); }))
    return;
  IRBuilder<> B(&*L.getHeader()->getFirstInsertionPt());
  callFunction(B, RemoteFunction, {ConstantPointerNull::get(B.getPtrTy())});
}

void asyncmem::hideBases(Loop &L) {
  SmallSetVector<AllocaInst *, 4> Variables;
  const bool IsUnmarked = any_of(*L.getHeader(), saysUnmarked);
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (callsFunction(I, RemoteFunction))
        Load = dyn_cast<LoadInst>(cast<CallBase>(I).getArgOperand(0));
      else if (!IsUnmarked || !I.getType()->isPointerTy())
        continue;
      if (auto *A =
              Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr)
        Variables.insert(A);
    }
  for (AllocaInst *A : Variables) {
    if (!isFixed(*A, L))
      continue;
    SmallVector<LoadInst *, 8> Loads;
    for (User *U : A->users())
      if (auto *Load = dyn_cast<LoadInst>(U); Load && L.contains(Load))
        Loads.push_back(Load);
    IRBuilder<> B(&*L.getHeader()->getFirstInsertionPt());
    FunctionCallee Fresh = A->getModule()->getOrInsertFunction(
        FreshFunction, B.getPtrTy(), B.getPtrTy());
    Value *Base = B.CreateCall(Fresh, B.CreateLoad(B.getPtrTy(), A));
    for (LoadInst *Load : Loads) {
      Load->replaceAllUsesWith(Base);
      Load->eraseFromParent();
    }
  }
}

bool asyncmem::showBases(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (callsFunction(I, FreshFunction))
      Calls.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Calls) {
    Call->replaceAllUsesWith(Call->getArgOperand(0));
    Call->eraseFromParent();
  }
  return !Calls.empty();
}

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
