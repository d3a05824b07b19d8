// SPDX-License-Identifier: Apache-2.0
// Which values of a loop may be others in another iteration.
//
// Algorithm: a value varies if it is handed on from the iteration before, if it is
// computed from one that does, or if it comes from a variable in memory or from a call.
// Where paths join it also does if a value that varies has chosen the path, and behind
// an inner loop if one has decided when that ends.
//
//   for (i) for (k = 0; k < n[i]; ++k) s += a[k] * x[i + k];   i + k varies, k does not

#include "analysis/RemotePointers.h"
#include "common/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class VaryingValues {
public:
  explicit VaryingValues(const Loop &L) {
    const DominatorTree DT(*L.getHeader()->getParent());
    const LoopInfo LI(DT);
    for (const PHINode &Phi : L.getHeader()->phis())
      Found.insert(&Phi);
    bool Changed = true;
    while (Changed) {
      Changed = false;
      for (const BasicBlock *BB : L.blocks())
        for (const Instruction &I : *BB)
          if (!Found.contains(&I) && follows(I, DT, LI))
            Changed |= Found.insert(&I).second;
    }
  }

  ValueSet Found;

private:
  bool contains(const Value *V) const { return Found.contains(V); }

  bool follows(const Instruction &I, const DominatorTree &DT,
               const LoopInfo &LI) const {
    if (any_of(I.operands(), [&](const Use &Op) {
          return contains(Op) || isLeftEarly(Op, I, LI);
        }))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(&I))
      return isChosen(*Phi, DT);
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand()));
    return isa<CallBase>(I) && I.mayReadOrWriteMemory() && !isMark(I);
  }

  /// \returns true if \p I uses \p V behind a loop of the iteration that has made it, and a
  /// value that varies decides when that ends.
  bool isLeftEarly(const Value *V, const Instruction &I,
                   const LoopInfo &LI) const {
    auto *Def = dyn_cast<Instruction>(V);
    const Loop *Inner = Def ? LI.getLoopFor(Def->getParent()) : nullptr;
    for (; Inner && !Inner->contains(&I); Inner = Inner->getParentLoop()) {
      SmallVector<BasicBlock *, 4> Ends;
      Inner->getExitingBlocks(Ends);
      if (any_of(Ends, [&](const BasicBlock *End) {
            return contains(End->getTerminator());
          }))
        return true;
    }
    return false;
  }

  /// \returns true if a value that varies decides which of its inputs \p Phi takes. A
  /// loop with one way back takes them in the same order, however often it repeats.
  bool isChosen(const PHINode &Phi, const DominatorTree &DT) const {
    const BasicBlock *BB = Phi.getParent();
    auto IsBack = [&](const BasicBlock *From) {
      return DT.dominates(BB, From);
    };
    const auto Back = count_if(predecessors(BB), IsBack);
    if (Back == 1)
      return false;
    const BasicBlock *Top = Back ? BB : DT.getNode(BB)->getIDom()->getBlock();
    return any_of(Phi.blocks(), [&](const BasicBlock *From) {
      if (Back && !IsBack(From))
        return false;
      while (!contains(From->getTerminator()) && From != Top)
        From = DT.getNode(From)->getIDom()->getBlock();
      return contains(From->getTerminator());
    });
  }
};

} // namespace

ValueSet asyncmem::varyingValues(const Loop &L) {
  return VaryingValues(L).Found;
}
