// SPDX-License-Identifier: Apache-2.0

#include "common/MemoryVariables.h"
#include "common/Names.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

bool asyncmem::isLifetime(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return Intrinsic && Intrinsic->isLifetimeStartOrEnd();
}

bool asyncmem::isPrivateTo(const AllocaInst &A, const Loop &L) {
  return any_of(A.users(), [&](const User *U) {
    auto *Start = dyn_cast<IntrinsicInst>(U);
    return Start && Start->getIntrinsicID() == Intrinsic::lifetime_start &&
           L.contains(Start);
  });
}

bool asyncmem::isInPlace(const Instruction &I) {
  return getLoadStorePointerOperand(&I) && I.hasMetadata(InPlaceTag);
}

SmallVector<const Value *, 4>
asyncmem::underlyingObjects(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return Objects;
}

AllocaInst *asyncmem::createVariable(Function &F, Type *Ty, const Twine &Name) {
  return new AllocaInst(Ty, 0, Name, &*F.getEntryBlock().getFirstInsertionPt());
}

Instruction *asyncmem::positionOf(Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  return Phi ? Phi->getIncomingBlock(U)->getTerminator() : User;
}

/// \returns true if \p U hands an address to a callee that reads there, or is the
/// plain function of a recursion, and is over before the task is suspended.
static bool isUsedByCallee(const Use &U) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  if (!Call || !Call->isArgOperand(&U) ||
      !(Call->onlyReadsMemory() || Call->hasMetadata(PlainCallTag)))
    return false;
  unsigned Number = Call->getArgOperandNo(&U);
  return Call->doesNotCapture(Number) || Call->isByValArgument(Number);
}

/// \returns true if whatever \p V joins is an address in the variable \p A.
static bool isInVariable(const Value *V, const Value *A) {
  return all_of(underlyingObjects(V),
                [&](const Value *Object) { return Object == A; });
}

/// \returns true if \p I, which uses an address in the variable \p A, is another one or
/// a comparison. No pointer of elsewhere is equal to it.
static bool joinsOrCompares(const Instruction &I, const Value *A) {
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return Compare->isEquality() || all_of(I.operands(), [&](const Use &Op) {
             return isInVariable(Op, A);
           });
  auto *Phi = dyn_cast<PHINode>(&I);
  SmallPtrSet<const BasicBlock *, 4> From;
  if (Phi)
    From.insert(Phi->block_begin(), Phi->block_end());
  return (isa<SelectInst>(I) ||
          (Phi && From.size() == Phi->getNumIncomingValues())) &&
         isInVariable(&I, A);
}

const Instruction *asyncmem::escapingUse(const Value *A, bool MayCall,
                                         bool MayJoin) {
  SmallSetVector<const Value *, 8> Addresses;
  Addresses.insert(A);
  for (unsigned N = 0; N != Addresses.size(); ++N)
    for (const Use &U : Addresses[N]->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *Store = dyn_cast<StoreInst>(I);
      bool WritesTo = Store && Store->getValueOperand() != Addresses[N];
      if (isa<GetElementPtrInst>(I) || (MayJoin && joinsOrCompares(*I, A))) {
        if (I->getType()->isPointerTy())
          Addresses.insert(I);
      } else if (!WritesTo && !isa<LoadInst>(I) && !isLifetime(*I) &&
                 !isa<AnyMemIntrinsic>(I) && !(MayCall && isUsedByCallee(U))) {
        return positionOf(const_cast<Use &>(U));
      }
    }
  return nullptr;
}

/// Computes \p Address once more where \p Position stands, each step of it.
static Value *computeAt(GetElementPtrInst *Address, Instruction *Position) {
  auto *Clone = cast<GetElementPtrInst>(Address->clone());
  Clone->insertBefore(Position);
  if (auto *Base = dyn_cast<GetElementPtrInst>(Address->getPointerOperand()))
    Clone->setOperand(Clone->getPointerOperandIndex(), computeAt(Base, Clone));
  return Clone;
}

static void sink(ArrayRef<Value *> Bases,
                 function_ref<bool(const GetElementPtrInst &)> IsWanted) {
  SmallSetVector<GetElementPtrInst *, 16> Geps;
  SmallVector<Use *, 16> Ends;
  auto AddUses = [&](Value *V) {
    for (Use &U : V->uses())
      if (auto *Gep = dyn_cast<GetElementPtrInst>(U.getUser());
          Gep && IsWanted(*Gep))
        Geps.insert(Gep);
      else if (isa<GetElementPtrInst>(V))
        Ends.push_back(&U);
  };
  for (Value *Base : Bases)
    AddUses(Base);
  for (unsigned I = 0; I != Geps.size(); ++I)
    AddUses(Geps[I]);
  for (Use *End : Ends)
    End->set(computeAt(cast<GetElementPtrInst>(End->get()), positionOf(*End)));
  // Those behind others come first.
  while (!Geps.empty())
    Geps.pop_back_val()->eraseFromParent();
}

void asyncmem::sinkAddresses(ArrayRef<AllocaInst *> Variables) {
  sink(SmallVector<Value *, 8>(Variables.begin(), Variables.end()),
       [](const GetElementPtrInst &) { return true; });
}

void asyncmem::sinkFields(Argument &Object) {
  Value *Base = &Object;
  sink(Base, [](const GetElementPtrInst &Field) {
    return Field.hasAllConstantIndices();
  });
}
