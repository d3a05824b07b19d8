// SPDX-License-Identifier: Apache-2.0

#include "analysis/Liveness.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace asyncmem;

Liveness::Liveness(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (!I.getType()->isVoidTy()) {
        Number[&I] = Values.size();
        Values.push_back(&I);
      }

  DenseMap<const BasicBlock *, BitVector> Uses, Defs;
  for (BasicBlock *BB : Blocks) {
    BitVector Use(Values.size()), Def(Values.size());
    for (Instruction &I : *BB) {
      if (!isa<PHINode>(I))
        for (const Value *Op : I.operands()) {
          auto Found = Number.find(Op);
          if (Found != Number.end() && !Def.test(Found->second))
            Use.set(Found->second);
        }
      auto Found = Number.find(&I);
      if (Found != Number.end())
        Def.set(Found->second);
    }
    In[BB] = Use;
    Uses[BB] = std::move(Use);
    Defs[BB] = std::move(Def);
  }

  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (BasicBlock *BB : reverse(Blocks)) {
      BitVector Live(Values.size());
      for (BasicBlock *Next : successors(BB)) {
        auto NextIn = In.find(Next);
        if (NextIn == In.end())
          continue;
        Live |= NextIn->second;
        for (PHINode &Phi : Next->phis()) {
          auto Found = Number.find(Phi.getIncomingValueForBlock(BB));
          if (Found != Number.end())
            Live.set(Found->second);
        }
      }
      Out[BB] = Live;
      Live.reset(Defs[BB]);
      Live |= Uses[BB];
      if (Live != In[BB]) {
        In[BB] = std::move(Live);
        Changed = true;
      }
    }
  }
}

SmallVector<Instruction *, 8> Liveness::liveIn(const BasicBlock *BB) const {
  SmallVector<Instruction *, 8> Result;
  auto Found = In.find(BB);
  if (Found != In.end())
    for (unsigned Index : Found->second.set_bits())
      Result.push_back(Values[Index]);
  return Result;
}

bool Liveness::isLiveAfter(const Instruction &V,
                           const Instruction &Definition) const {
  const BasicBlock *BB = Definition.getParent();
  unsigned Index = Number.lookup(&V);
  const Instruction *From = isa<PHINode>(Definition) ? BB->getFirstNonPHI()
                                                     : Definition.getNextNode();
  for (const Instruction *I = From; I; I = I->getNextNode()) {
    if (I == &V)
      return false;
    if (is_contained(I->operands(), &V))
      return true;
  }
  auto Found = Out.find(BB);
  return Found != Out.end() && Found->second.test(Index);
}
