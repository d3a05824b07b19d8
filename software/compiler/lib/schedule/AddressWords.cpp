// SPDX-License-Identifier: Apache-2.0

#include "schedule/AddressWords.h"
#include "common/Target.h"
#include "schedule/Variables.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

Value *AddressWords::get(IRBuilderBase &B, Value *Pointer, const Suspension &S,
                         unsigned SizeLog2) {
  Value *Fixed = bits(S, SizeLog2);
  auto *Gep = dyn_cast<GetElementPtrInst>(Pointer);
  bool FixedBase = Gep && isDefinedBeforeInit(Gep->getPointerOperand());
  Value *Base = FixedBase ? Gep->getPointerOperand() : Pointer;
  if (FixedBase || isDefinedBeforeInit(Pointer)) {
    Value *&Sum = FixedWords[{Base, Fixed}];
    if (!Sum) {
      IRBuilder<> Init(Blocks.Init->getTerminator());
      Sum = keepInRegister(Init, Init.CreateGEP(Init.getInt8Ty(), Base, Fixed));
    }
    if (!FixedBase)
      return B.CreatePtrToInt(Sum, B.getInt64Ty());
    // The word as if it were an address: the code generator knows how to scale.
    auto *Place = cast<GetElementPtrInst>(Gep->clone());
    Place->setOperand(Place->getPointerOperandIndex(), Sum);
    Place->setIsInBounds(false);
    return B.CreatePtrToInt(B.Insert(Place), B.getInt64Ty());
  }
  return B.CreateAdd(B.CreatePtrToInt(Base, B.getInt64Ty()), Fixed);
}

Value *AddressWords::computeHere(IRBuilderBase &B, Value *Pointer,
                                 const Suspension &S, unsigned SizeLog2) {
  Value *Address = B.CreatePtrToInt(Pointer, B.getInt64Ty());
  return B.CreateAdd(Address, computeBits(B, S, SizeLog2));
}

Value *AddressWords::computeBits(IRBuilderBase &B, const Suspension &S,
                                 unsigned SizeLog2) {
  Value *Size = B.getInt64(uint64_t(SizeLog2) << ami::SizeShift);
  if (!HasTargets)
    return Size;
  if (!FirstTarget)
    FirstTarget = S.After;
  Value *Distance =
      B.CreateSub(blockAddress(B, S.After), blockAddress(B, FirstTarget));
  // The distance counts bytes, the field units of two bytes.
  Value *Field = B.CreateShl(Distance, ami::AddressBits - 1);
  Field = B.CreateAnd(Field, maskTrailingOnes<uint64_t>(ami::SizeShift));
  return B.CreateOr(Field, Size);
}

/// Size and target of a request, in a register.
Value *AddressWords::bits(const Suspension &S, unsigned SizeLog2) {
  Value *&Kept = Bits[{HasTargets ? S.After : nullptr, SizeLog2}];
  if (!Kept) {
    IRBuilder<> B(Blocks.Init->getTerminator());
    Kept = keepInRegister(B, computeBits(B, S, SizeLog2));
  }
  return Kept;
}

bool AddressWords::isDefinedBeforeInit(Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return !I || !is_contained(*Blocks.Body, I->getParent());
}

Value *AddressWords::blockAddress(IRBuilderBase &B, BasicBlock *BB) const {
  return B.CreatePtrToInt(BlockAddress::get(&F, BB), B.getInt64Ty());
}
