// SPDX-License-Identifier: Apache-2.0

#include "schedule/TaskParts.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace asyncmem;

AllocaInst *Variables::create(Type *Ty, const Twine &Name) {
  BasicBlock &Entry = F.getEntryBlock();
  auto *Variable = new AllocaInst(Ty, 0, Name, &*Entry.getFirstInsertionPt());
  Allocas.push_back(Variable);
  return Variable;
}

/// The code generator takes no other integers as operands of an asm.
static bool fitsRegister(const Type *Ty) {
  unsigned Bits = Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 64;
  return isPowerOf2_32(Bits) && Bits >= 8 && Bits <= 128;
}

Value *asyncmem::keepInRegister(IRBuilderBase &Builder, Value *V) {
  if (!fitsRegister(V->getType()))
    return V;
  auto *Ty = FunctionType::get(V->getType(), {V->getType()}, false);
  return Builder.CreateCall(
      InlineAsm::get(Ty, "", "=r,0", /*hasSideEffects=*/true), {V});
}

void asyncmem::keepEndApart(IRBuilderBase &Builder) {
  auto *Ty = FunctionType::get(Builder.getVoidTy(), false);
  Builder.CreateCall(InlineAsm::get(Ty, "", "", /*hasSideEffects=*/true));
}
