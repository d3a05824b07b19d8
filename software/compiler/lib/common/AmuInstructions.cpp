// SPDX-License-Identifier: Apache-2.0

#include "common/AmuInstructions.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace asyncmem;

namespace {

CallInst *emitAsm(IRBuilderBase &B, Type *Result, StringRef Text,
                  StringRef Constraints, ArrayRef<Value *> Args) {
  SmallVector<Type *, 2> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  auto *Ty = FunctionType::get(Result, Types, false);
  return B.CreateCall(
      InlineAsm::get(Ty, Text, Constraints, /*hasSideEffects=*/true), Args);
}

/// An instruction of two source registers and no result.
CallInst *emitPair(IRBuilderBase &B, StringRef Text, Value *First,
                   Value *Second) {
  return emitAsm(B, B.getVoidTy(), Text, "r,r,~{memory}", {First, Second});
}

} // namespace

CallInst *ami::aload(IRBuilderBase &B, Value *AddressWord, Value *RequestWord) {
  return emitPair(B, ".insn r CUSTOM_0, 0, 0, x0, $0, $1", AddressWord,
                  RequestWord);
}

CallInst *ami::astore(IRBuilderBase &B, Value *AddressWord,
                      Value *RequestWord) {
  return emitPair(B, ".insn r CUSTOM_0, 1, 0, x0, $0, $1", AddressWord,
                  RequestWord);
}

void ami::aset(IRBuilderBase &B, Value *Id, unsigned Requests) {
  emitPair(B, ".insn r CUSTOM_0, 4, 0, x0, $0, $1", Id, B.getInt64(Requests));
}

void ami::aconfig(IRBuilderBase &B, ConfigRegister Register, Value *V) {
  emitPair(B, ".insn r CUSTOM_0, 5, 0, x0, $0, $1", V, B.getInt64(Register));
}

void ami::await(IRBuilderBase &B, Value *AddressWord, Value *Id) {
  emitPair(B, ".insn r CUSTOM_0, 6, 0, x0, $0, $1", AddressWord, Id);
}

void ami::asignal(IRBuilderBase &B, Value *Id) {
  emitAsm(B, B.getVoidTy(), ".insn r CUSTOM_0, 7, 0, x0, $0, x0",
          "r,~{memory}", {Id});
}

Value *ami::getfin(IRBuilderBase &B) {
  return emitAsm(B, B.getInt64Ty(), ".insn r CUSTOM_0, 2, 0, $0, x0, x0",
                 "=r,~{memory}", {});
}

void ami::resumePoint(IRBuilderBase &B) {
  emitAsm(B, B.getVoidTy(), "", "~{memory}", {});
}

CallBrInst *ami::bafin(IRBuilderBase &B, BasicBlock *None,
                       ArrayRef<BasicBlock *> Targets) {
  std::string Constraints = "=r";
  for (unsigned I = 0; I != Targets.size(); ++I)
    Constraints += ",!i";
  Constraints += ",~{memory}";
  auto *Ty = FunctionType::get(B.getInt64Ty(), false);
  // No code: two copies of bafin would need moves on the edges to a target,
  // which it does not take, as the target's address is in the request.
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "", "",
                              /*hasSideEffects=*/true))
      ->addFnAttr(Attribute::NoDuplicate);
  return B.CreateCallBr(
      Ty,
      InlineAsm::get(Ty, ".insn r CUSTOM_0, 3, 0, $0, x0, x0", Constraints,
                     /*hasSideEffects=*/true),
      None, Targets);
}
