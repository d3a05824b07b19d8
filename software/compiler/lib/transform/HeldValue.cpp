// SPDX-License-Identifier: Apache-2.0

#include "transform/HeldValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace asyncmem;

bool HeldValue::isHeldAt(const Value &V, const Instruction &I) {
  return isHeldFrom(V, I.getPrevNode(), *I.getParent());
}

bool HeldValue::isHeldAtTheBegin(const Value &V, const BasicBlock &BB) {
  auto *Joined = dyn_cast<PHINode>(&V);
  bool IsJoined = Joined && Joined->getParent() == &BB;
  return all_of(predecessors(&BB), [&](const BasicBlock *Before) {
    return isHeldAtTheEnd(
        IsJoined ? *Joined->getIncomingValueForBlock(Before) : V, *Before);
  });
}

bool HeldValue::isHeldAtTheEnd(const Value &V, const BasicBlock &BB) {
  return !Seen.insert({&V, &BB}).second || isHeldFrom(V, &BB.back(), BB);
}

/// \returns nothing if \p I does not decide it.
std::optional<bool> HeldValue::isHeldBehind(const Value &V,
                                            const Instruction &I) {
  if (&I == Load)
    return &V == Load;
  auto *Store = dyn_cast<StoreInst>(&I);
  if (Store && Store->getPointerOperand() == &Pointer)
    return Store->isSimple() && Store->getValueOperand() == &V;
  if (&I == &V && !isa<PHINode>(I)) {
    auto *Read = dyn_cast<LoadInst>(&I);
    return Read && Read->isSimple() && Read->getPointerOperand() == &Pointer;
  }
  if (&I == &Pointer ||
      (I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Place))))
    return false;
  return std::nullopt;
}

/// The same behind \p Last in \p BB; at the begin of it if that is null.
bool HeldValue::isHeldFrom(const Value &V, const Instruction *Last,
                           const BasicBlock &BB) {
  for (const Instruction *I = Last; I; I = I->getPrevNode())
    if (std::optional<bool> Held = isHeldBehind(V, *I))
      return *Held;
  if (&V == Phi && &BB == Phi->getParent())
    return true;
  return !BB.isEntryBlock() && isHeldAtTheBegin(V, BB);
}
