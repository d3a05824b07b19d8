// SPDX-License-Identifier: Apache-2.0

#include "analysis/UpdateRegion.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace asyncmem;

UpdateRegion::UpdateRegion(const TaskLoop &T, const RemoteUpdate &U)
    : T(T), U(U) {
  findReaching();
  walk();
}

bool UpdateRegion::isInIteration(const BasicBlock *BB) const {
  return BB != T.Header && T.L->contains(BB);
}

/// \returns true if a path from \p From on meets a store before the first load.
bool UpdateRegion::reachesStore(const Instruction *From) const {
  for (const Instruction *I = From; I; I = I->getNextNode()) {
    if (I == U.First)
      return false;
    if (is_contained(U.Stores, I))
      return true;
    if (I->isTerminator())
      return any_of(successors(I->getParent()), [&](const BasicBlock *Next) {
        return isInIteration(Next) && Reaching.contains(Next);
      });
  }
  return false;
}

void UpdateRegion::findReaching() {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const BasicBlock *BB : reverse(T.Blocks))
      if (!Reaching.contains(BB) && reachesStore(&BB->front()))
        Changed |= Reaching.insert(BB).second;
  }
}

void UpdateRegion::walk() {
  walkFrom(U.First->getNextNode());
  for (unsigned N = 0; N != Entered.size(); ++N)
    walkFrom(&Entered[N]->front());
  // A store that some path reaches without the load.
  Open |= Reaching.contains(T.Header);
}

void UpdateRegion::walkFrom(Instruction *From) {
  BasicBlock *BB = From->getParent();
  for (Instruction *I = From; !I->isTerminator(); I = I->getNextNode())
    if (is_contained(U.Stores, I) && !reachesStore(I->getNextNode())) {
      Ends.push_back({I, nullptr});
      return;
    }
  Instruction *Last = BB->getTerminator();
  SmallPtrSet<BasicBlock *, 4> Left;
  for (BasicBlock *Next : successors(BB)) {
    if (!isInIteration(Next)) {
      Open = true;
    } else if (!Reaching.contains(Next)) {
      if (Left.insert(Next).second)
        Ends.push_back({Last, Next});
    } else if (!is_contained(Entered, Next)) {
      Entered.push_back(Next);
    }
  }
}

void UpdateRegion::forEach(function_ref<void(Instruction &)> Visit) const {
  auto VisitFrom = [&](Instruction *From) {
    for (Instruction *I = From; I && I != U.First; I = I->getNextNode()) {
      if (!reachesStore(I))
        return;
      Visit(*I);
    }
  };
  VisitFrom(U.First->getNextNode());
  for (BasicBlock *BB : Entered)
    VisitFrom(&BB->front());
}
