// SPDX-License-Identifier: Apache-2.0

#include "loop/Strip.h"

using namespace llvm;
using namespace asyncmem;

namespace {

Value *advance(IRBuilderBase &B, PHINode *Counter, Value *Later, int64_t Step) {
  Type *Ty = Counter->getType();
  if (Ty->isPointerTy())
    return B.CreateGEP(B.getInt8Ty(), Counter,
                       B.CreateMul(Later, B.getInt64(Step)));
  return B.CreateAdd(Counter, B.CreateMul(B.CreateZExtOrTrunc(Later, Ty),
                                          ConstantInt::getSigned(Ty, Step)));
}

} // namespace

void Strip::copyOperations(
    IRBuilderBase &B, Value *Later, ValueToValueMapTy &Values,
    function_ref<Value *(const StripOperation &, Value *)> Read) const {
  for (auto [Counter, Step] : Counters)
    Values[Counter] = advance(B, Counter, Later, Step);
  for (const StripOperation &Operation : Operations) {
    auto *Original = cast<Instruction>(Operation.Operation);
    if (Operation.Row) {
      Value *Pointer = Operation.Pointer;
      Value *Other = Values.lookup(Pointer);
      Values[Original] = Read(Operation, Other ? Other : Pointer);
      continue;
    }
    Instruction *Copy = B.Insert(Original->clone(), Original->getName());
    RemapInstruction(Copy, Values,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    // The later iteration might not come to the original.
    Copy->dropPoisonGeneratingFlags();
    Values[Original] = Copy;
  }
}
