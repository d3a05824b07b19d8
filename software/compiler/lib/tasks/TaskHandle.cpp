// SPDX-License-Identifier: Apache-2.0

#include "tasks/TaskHandle.h"
#include "common/Target.h"

using namespace llvm;
using namespace asyncmem;

TaskHandle::TaskHandle(Variables &Vars, BasicBlock *Init, bool IsTaskWord,
                       uint64_t SpmAddress, unsigned SlotBytes)
    : IsTaskWord(IsTaskWord), SlotShift(Log2_32(SlotBytes)) {
  IRBuilder<> B(Init->getTerminator());
  Handle = Vars.create(B.getInt64Ty(), "handle");
  SlotStart = Vars.create(B.getPtrTy(), "slot");
  SpmBase = keepInRegister(B, B.getInt64(SpmAddress));
  if (IsTaskWord)
    AddressMask = keepInRegister(
        B, B.getInt64(maskTrailingOnes<uint64_t>(ami::AddressBits)));
}

void TaskHandle::uniteWithFrames(BasicBlock *Init, Value *HandlerBase,
                                 unsigned HandlerBytes, unsigned Tasks,
                                 bool SlotsFirst) {
  bool Fits = isPowerOf2_32(HandlerBytes) && HandlerBytes >> SlotShift &&
              HandlerBytes <= MaxSpmSlotBytes &&
              uint64_t(HandlerBytes) * (Tasks + 1) <= SpmBytes;
  if (!IsTaskWord || !Fits)
    return;
  HoldsSlot = SlotsFirst;
  SlotShift = Log2_32(HandlerBytes);
  IRBuilder<> AtInit(Init->getTerminator());
  Distance = keepInRegister(
      AtInit, SlotsFirst ? AtInit.CreateSub(HandlerBase, SpmBase)
                         : AtInit.CreateSub(SpmBase, HandlerBase));
  for (const WeakVH &Shift : Ids)
    if (auto *I = cast_or_null<Instruction>(static_cast<Value *>(Shift)))
      I->setOperand(1, AtInit.getInt64(ami::AddressBits + SlotShift));
  for (const WeakVH &Frame : Frames)
    if (auto *I = cast_or_null<Instruction>(static_cast<Value *>(Frame));
        I && SlotsFirst) {
      IRBuilder<> B(I);
      I->setOperand(0, B.CreateAdd(I->getOperand(0), Distance));
    }
}

void TaskHandle::configure(IRBuilderBase &B, Value *HandlerBase,
                           unsigned HandlerBytes) const {
  ami::aconfig(B, ami::HandlerBase, HoldsSlot ? SpmBase : HandlerBase);
  ami::aconfig(B, ami::HandlerSize, B.getInt64(HandlerBytes));
  ami::aconfig(B, ami::SpmBase, SpmBase);
  ami::aconfig(B, ami::SpmSlot, B.getInt64(uint64_t(1) << SlotShift));
}

void TaskHandle::start(IRBuilderBase &B, Value *Id, Value *HandlerBase,
                       unsigned HandlerBytes) const {
  if (IsTaskWord) {
    Value *Address = B.CreateAdd(HoldsSlot ? SpmBase : HandlerBase,
                                 B.CreateMul(Id, B.getInt64(HandlerBytes)));
    Id = B.CreateOr(Address, B.CreateShl(Id, ami::AddressBits + SlotShift));
  }
  set(B, Id);
}

void TaskHandle::set(IRBuilderBase &B, Value *Finished) const {
  B.CreateStore(Finished, Handle);
  Value *Start;
  if (Distance) {
    Start = B.CreateAnd(Finished, AddressMask);
    if (!HoldsSlot)
      Start = B.CreateAdd(Start, Distance);
  } else {
    Start = B.CreateAdd(SpmBase, IsTaskWord
                                     ? B.CreateLShr(Finished, ami::AddressBits)
                                     : B.CreateShl(Finished, SlotShift));
  }
  B.CreateStore(B.CreateIntToPtr(Start, B.getPtrTy()), SlotStart);
}

Value *TaskHandle::get(IRBuilderBase &B) const {
  return B.CreateLoad(B.getInt64Ty(), Handle);
}

Value *TaskHandle::id(IRBuilderBase &B) {
  if (!IsTaskWord)
    return get(B);
  Value *Id = B.CreateLShr(get(B), ami::AddressBits + SlotShift);
  Ids.push_back(Id);
  return Id;
}

Value *TaskHandle::frame(IRBuilderBase &B, Value *HandlerBase,
                         unsigned HandlerBytes) {
  Value *H = get(B);
  if (IsTaskWord) {
    Value *Frame = B.CreateIntToPtr(B.CreateAnd(H, AddressMask), B.getPtrTy());
    Frames.push_back(Frame);
    return Frame;
  }
  Value *Offset = B.CreateShl(H, Log2_32(HandlerBytes));
  return B.CreateIntToPtr(B.CreateAdd(HandlerBase, Offset), B.getPtrTy());
}

Value *TaskHandle::slot(IRBuilderBase &B, unsigned Bytes) const {
  return B.CreateConstInBoundsGEP1_64(
      B.getInt8Ty(), B.CreateLoad(B.getPtrTy(), SlotStart), Bytes);
}

std::optional<SmallVector<Instruction *, 16>> TaskHandle::slotAccesses() const {
  SmallVector<Instruction *, 16> Accesses, Addresses;
  for (User *Read : SlotStart->users())
    if (isa<LoadInst>(Read))
      Addresses.push_back(cast<Instruction>(Read));
  while (!Addresses.empty()) {
    Instruction *Address = Addresses.pop_back_val();
    for (User *U : Address->users())
      if (isa<GetElementPtrInst>(U))
        Addresses.push_back(cast<Instruction>(U));
      else if (getLoadStorePointerOperand(U) == Address)
        Accesses.push_back(cast<Instruction>(U));
      else
        return std::nullopt;
  }
  return Accesses;
}

Align TaskHandle::slotAlignment(unsigned Bytes) const {
  return commonAlignment(Align(uint64_t(1) << SlotShift), Bytes);
}

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
