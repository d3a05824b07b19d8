// SPDX-License-Identifier: Apache-2.0

#include "transform/SunkAddresses.h"
#include "analysis/CollectAccesses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace asyncmem;

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
