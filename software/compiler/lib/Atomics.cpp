// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/Atomics.h"
#include "asyncmem/Calls.h"
#include "asyncmem/Names.h"
#include "asyncmem/OwnerTable.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class Expander {
public:
  explicit Expander(TaskLoop &T) : T(T), Owners(T) {}

  void run() {
    SmallVector<Instruction *, 8> Old = std::move(T.Remote);
    T.Remote.clear();
    for (Instruction *Access : Old)
      expand(Access);
  }

private:
  TaskLoop &T;
  OwnerTable Owners;

  void expand(Instruction *Access) {
    if (!Access->isAtomic()) {
      T.Remote.push_back(Access);
      return;
    }
    IRBuilder<> B(Access);
    Value *Lock = Owners.own(B, accessPointer(Access));
    auto *Load = dyn_cast<LoadInst>(Access);
    auto *Store = dyn_cast<StoreInst>(Access);
    if (Load || Store) {
      // A load, too: while a request stores, its bytes are the AMU's (contract,
      // rule 6).
      if (Load)
        Load->setAtomic(AtomicOrdering::NotAtomic);
      else
        Store->setAtomic(AtomicOrdering::NotAtomic);
      T.Remote.push_back(Access);
      B.SetInsertPoint(Access->getNextNode());
    } else {
      Value *Pointer = accessPointer(Access);
      LoadInst *Loaded = B.CreateAlignedLoad(accessType(Access), Pointer,
                                             accessAlignment(Access));
      auto [New, Result] = compute(B, Access, Loaded);
      T.Remote.push_back(Loaded);
      T.Remote.push_back(
          B.CreateAlignedStore(New, Pointer, accessAlignment(Access)));
      Access->replaceAllUsesWith(Result);
    }
    Owners.release(B, Lock);
    if (!Load && !Store)
      Access->eraseFromParent();
  }

  /// \returns the value to store and the result of the operation.
  std::pair<Value *, Value *> compute(IRBuilderBase &B, Instruction *Access,
                                      Value *Loaded) {
    if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
      return {buildAtomicRMWValue(Update->getOperation(), B, Loaded,
                                  Update->getValOperand()),
              Loaded};
    auto *Exchange = cast<AtomicCmpXchgInst>(Access);
    Value *Equal = B.CreateICmpEQ(Loaded, Exchange->getCompareOperand());
    Value *New = B.CreateSelect(Equal, Exchange->getNewValOperand(), Loaded);
    Value *Result = B.CreateInsertValue(PoisonValue::get(Exchange->getType()),
                                        Loaded, 0);
    return {New, B.CreateInsertValue(Result, Equal, 1)};
  }
};

} // namespace

bool asyncmem::isLock(const Instruction &I) {
  return callsFunction(I, LockFunction);
}

bool asyncmem::isUnlock(const Instruction &I) {
  return callsFunction(I, UnlockFunction);
}

Value *asyncmem::accessPointer(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return const_cast<Value *>(Update->getPointerOperand());
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return const_cast<Value *>(Exchange->getPointerOperand());
  return const_cast<Value *>(getLoadStorePointerOperand(Access));
}

Type *asyncmem::accessType(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return Update->getValOperand()->getType();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return Exchange->getCompareOperand()->getType();
  return getLoadStoreType(const_cast<Instruction *>(Access));
}

Align asyncmem::accessAlignment(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return Update->getAlign();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return Exchange->getAlign();
  return getLoadStoreAlignment(const_cast<Instruction *>(Access));
}

/// An inner loop that ends when another task writes must let that task run.
const char *asyncmem::checkLocalAtomic(const TaskLoop &T,
                                       const RemotePointers &Pointers,
                                       const Instruction &I) {
  if (I.use_empty())
    return nullptr;
  for (const Loop *Inner : *T.L) {
    if (!Inner->contains(&I))
      continue;
    bool Suspends = any_of(Inner->blocks(), [&](const BasicBlock *BB) {
      return any_of(*BB, [&](const Instruction &Other) {
        const Value *Pointer = accessPointer(&Other);
        return isLock(Other) || (Pointer && Pointers.isRemote(Pointer));
      });
    });
    if (!Suspends)
      return "a loop in it may wait for another iteration without a remote "
             "access; use asyncmem_lock";
  }
  return nullptr;
}

LockRegions::LockRegions(const TaskLoop &T) {
  if (none_of(T.Blocks, [](const BasicBlock *BB) { return any_of(*BB, isLock); }))
    return;
  for (const BasicBlock *BB : T.Blocks)
    if (BB != T.Header)
      HeldAtStart.insert(BB);
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const BasicBlock *BB : T.Blocks) {
      if (protects(*BB->getTerminator()))
        continue;
      for (const BasicBlock *Next : successors(BB))
        Changed |= HeldAtStart.erase(Next);
    }
  }
}

bool LockRegions::protects(const Instruction &I) const {
  for (const Instruction *Before = &I; Before;
       Before = Before->getPrevNode()) {
    if (isLock(*Before))
      return true;
    if (isUnlock(*Before))
      return false;
  }
  return HeldAtStart.contains(I.getParent());
}

void asyncmem::expandRemoteAtomics(TaskLoop &T) { Expander(T).run(); }
