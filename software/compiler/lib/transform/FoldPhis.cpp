// SPDX-License-Identifier: Apache-2.0

#include "transform/FoldPhis.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// The one value each phi of a loop has, or the phi itself.
class OnlyValues {
public:
  explicit OnlyValues(const Loop &L) {
    for (BasicBlock *BB : L.blocks())
      for (PHINode &Phi : BB->phis())
        Phis.push_back(&Phi);
    while (PHINode *Phi = propagate())
      Joins.insert(Phi);
  }

  Value *of(Value *V) const {
    auto Found = Known.find(V);
    return Found == Known.end() ? V : Found->second;
  }

private:
  SmallVector<PHINode *, 32> Phis;
  /// Phis where values meet.
  DenseSet<PHINode *> Joins;
  DenseMap<Value *, Value *> Known;

  /// Nothing is known of the other phis at first, and operands that are not
  /// known yet do not count, so that phis that only pass a value round in a cycle
  /// are seen to have that value. \returns another join, or null.
  PHINode *propagate() {
    for (PHINode *Phi : Phis)
      Known[Phi] = Joins.contains(Phi) ? Phi : nullptr;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (PHINode *Phi : Phis) {
        Value *&Only = Known.find(Phi)->second;
        if (Only == Phi)
          continue;
        for (Value *Operand : Phi->incoming_values()) {
          Value *Now = of(Operand);
          if (!Now || Now == Only)
            continue;
          if (Only)
            return Phi;
          Only = Now;
          Changed = true;
        }
      }
    }
    return nullptr;
  }
};

/// \returns true if the result of \p I follows from its operands alone: two
/// variables, exceptions or frozen values that look alike may differ.
bool isComputed(const Instruction &I) {
  return !isa<PHINode, AllocaInst, FreezeInst>(I) && !I.isEHPad() &&
         !I.mayReadOrWriteMemory() && !I.mayHaveSideEffects();
}

/// \returns the operation that all operands of \p Phi are, made where the phi
/// stands, or null.
Instruction *computeHere(PHINode &Phi) {
  auto *First = dyn_cast<Instruction>(Phi.getIncomingValue(0));
  BasicBlock *BB = Phi.getParent();
  if (!First || !isComputed(*First) || is_contained(First->operands(), &Phi) ||
      BB->getFirstInsertionPt() == BB->end() ||
      !all_of(Phi.incoming_values(), [&](const Value *V) {
        auto *Other = dyn_cast<Instruction>(V);
        return Other && Other->isIdenticalToWhenDefined(First);
      }))
    return nullptr;
  Instruction *Here = First->clone();
  // The others may promise less.
  Here->dropPoisonGeneratingFlagsAndMetadata();
  for (const Value *Other : Phi.incoming_values())
    Here->andIRFlags(Other);
  Here->insertBefore(&*BB->getFirstInsertionPt());
  return Here;
}

} // namespace

void asyncmem::foldPhis(Loop &L, const DominatorTree &DT) {
  auto ReplaceAll = [&](function_ref<Value *(PHINode &)> Replacement) {
    bool Changed = false;
    for (BasicBlock *BB : L.blocks())
      for (PHINode &Phi : make_early_inc_range(BB->phis()))
        if (Value *New = Replacement(Phi)) {
          Phi.replaceAllUsesWith(New);
          Phi.eraseFromParent();
          Changed = true;
        }
    return Changed;
  };
  bool Changed = true;
  while (Changed) {
    OnlyValues Values(L);
    Changed = ReplaceAll([&](PHINode &Phi) -> Value * {
      Value *Only = Values.of(&Phi);
      return Only && Only != &Phi && DT.dominates(Only, &Phi) ? Only : nullptr;
    });
    Changed |= ReplaceAll(computeHere);
  }
}
