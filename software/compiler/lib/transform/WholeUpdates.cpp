// SPDX-License-Identifier: Apache-2.0

#include "transform/WholeUpdates.h"
#include "common/Calls.h"
#include "common/Commutative.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// What follows from one load by one commutative operation.
class Update {
public:
  Update(const TaskLoop &T, LoadInst &Load) : T(T), Load(Load) {}

  /// \returns true if nothing follows from the load but stores to its place.
  bool find() {
    Chain.insert(&Load);
    for (unsigned N = 0; N != Chain.size(); ++N)
      for (User *U : Chain[N]->users())
        if (!follow(*cast<Instruction>(U), *Chain[N]))
          return false;
    return !Stores.empty() && Opcode &&
           all_of(Chain, [&](Instruction *I) { return hasChainOperands(*I); });
  }

  /// \returns true if a remote access, and no other write to the place, can
  /// follow the load before it runs again.
  bool isSuspended(AAResults &AA) const {
    MemoryLocation Place = MemoryLocation::get(&Load);
    bool Suspended = false;
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const Instruction *, 16> Work = {Load.getNextNode()};
    while (!Work.empty()) {
      for (const Instruction *I = Work.pop_back_val(); I && I != &Load;
           I = I->getNextNode()) {
        if (I->mayWriteToMemory() && !isFatal(*I) && !is_contained(Stores, I) &&
            isModSet(AA.getModRefInfo(I, Place)))
          return false;
        Suspended |= T.isRemote(I);
        if (!I->isTerminator())
          continue;
        for (const BasicBlock *Next : successors(I->getParent()))
          if (Next != T.Header && T.L->contains(Next) &&
              Seen.insert(Next).second)
            Work.push_back(&Next->front());
      }
    }
    return Suspended;
  }

  /// \returns false if the updates have neither form.
  bool makeWhole() {
    if (all_of(Chain, [&](Instruction *I) {
          return !isa<BinaryOperator>(I) || isStoredAtOnce(*I);
        }))
      readAgainAtUpdates();
    else if (isStoredAtTheEnd())
      addAtTheEnd();
    else
      return false;
    for (Instruction *I : reverse(Chain))
      if (!isa<BinaryOperator>(I) && I->use_empty())
        I->eraseFromParent();
    return true;
  }

private:
  const TaskLoop &T;
  LoadInst &Load;
  SmallVector<StoreInst *, 2> Stores;
  /// The operation; a subtraction from the chain counts as an addition.
  unsigned Opcode = 0;
  SmallSetVector<Instruction *, 8> Chain;

  bool inChain(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && Chain.contains(const_cast<Instruction *>(I));
  }

  bool follow(Instruction &I, Instruction &V) {
    if (!T.L->contains(&I))
      return false;
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->getValueOperand() != &V || &V == &Load || !Store->isSimple() ||
          Store->getPointerOperand() != Load.getPointerOperand())
        return false;
      Stores.push_back(Store);
      return true;
    }
    if (isa<PHINode>(I)) {
      Chain.insert(&I);
      return I.getParent() != T.Header;
    }
    auto *Binary = dyn_cast<BinaryOperator>(&I);
    if (!Binary)
      return false;
    unsigned Found = commutativeOpcode(*Binary, &V);
    if (!Found || (Opcode && Opcode != Found))
      return false;
    Opcode = Found;
    Chain.insert(&I);
    return true;
  }

  /// A phi takes values of the chain only, an operation exactly one.
  bool hasChainOperands(const Instruction &I) const {
    auto IsInside = [&](const Value *V) { return inChain(V); };
    if (isa<PHINode>(I))
      return all_of(I.operands(), IsInside);
    return &I == &Load || count_if(I.operands(), IsInside) == 1;
  }

  /// The place always holds the newest value of such a chain.
  bool isStoredAtOnce(const Instruction &I) const {
    for (const Instruction *Next = I.getNextNode(); Next && !T.isRemote(Next);
         Next = Next->getNextNode())
      if (auto *Store = dyn_cast<StoreInst>(Next);
          Store && Store->getValueOperand() == &I &&
          is_contained(Stores, Store))
        return true;
    return false;
  }

  /// Once for each load: a store repeated without it would add the first
  /// amounts again.
  bool isStoredAtTheEnd() const {
    const BasicBlock *Store = Stores.front()->getParent();
    SmallPtrSet<const BasicBlock *, 16> Seen = {Load.getParent(), T.Header};
    SmallVector<const BasicBlock *, 16> Work = {Store};
    while (!Work.empty())
      for (const BasicBlock *Next : successors(Work.pop_back_val()))
        if (T.L->contains(Next) && Seen.insert(Next).second) {
          if (Next == Store)
            return false;
          Work.push_back(Next);
        }
    return Stores.size() == 1;
  }

  LoadInst *readAgain(IRBuilderBase &B) const {
    LoadInst *Now = B.CreateAlignedLoad(
        Load.getType(), Load.getPointerOperand(), Load.getAlign());
    Now->copyMetadata(Load, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                             LLVMContext::MD_noalias});
    return Now;
  }

  void readAgainAtUpdates() {
    for (Instruction *I : Chain) {
      if (!isa<BinaryOperator>(I))
        continue;
      IRBuilder<> B(I);
      for (Use &Operand : I->operands())
        if (inChain(Operand))
          Operand.set(readAgain(B));
    }
    for (Instruction *I : Chain)
      if (isa<PHINode>(I))
        I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  }

  /// The chain starts with the neutral element; the store adds it to what the
  /// place holds then.
  void addAtTheEnd() {
    for (Instruction *I : Chain)
      I->dropPoisonGeneratingFlags();
    Load.replaceAllUsesWith(
        ConstantExpr::getBinOpIdentity(Opcode, Load.getType()));
    StoreInst *Store = Stores.front();
    IRBuilder<> B(Store);
    LoadInst *Now = readAgain(B);
    Store->setOperand(0, B.CreateBinOp(Instruction::BinaryOps(Opcode), Now,
                                       Store->getValueOperand()));
  }
};

} // namespace

bool asyncmem::makeUpdatesWhole(TaskLoop &T, AAResults &AA) {
  SmallVector<LoadInst *, 16> Loads;
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && Load->isSimple() && Load->getType()->isIntegerTy() &&
          !T.isRemote(Load) &&
          !is_contained(T.PrivateMemory,
                        getUnderlyingObject(Load->getPointerOperand())))
        Loads.push_back(Load);
  bool Changed = false;
  for (LoadInst *Load : Loads) {
    Update Found(T, *Load);
    if (Found.find() && Found.isSuspended(AA))
      Changed |= Found.makeWhole();
  }
  return Changed;
}
