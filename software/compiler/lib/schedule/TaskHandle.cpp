// SPDX-License-Identifier: Apache-2.0

#include "schedule/TaskHandle.h"
#include "common/AmuInstructions.h"

using namespace llvm;
using namespace asyncmem;

TaskHandle::TaskHandle(Variables &Vars, BasicBlock *Init, bool IsTaskWord,
                       uint64_t SpmAddress, unsigned SlotBytes)
    : IsTaskWord(IsTaskWord), SlotShift(Log2_32(SlotBytes)) {
  IRBuilder<> B(Init->getTerminator());
  Handle = Vars.create(B.getInt64Ty(), "handle");
  SpmBase = keepInRegister(B, B.getInt64(SpmAddress));
  if (IsTaskWord)
    AddressMask = keepInRegister(
        B, B.getInt64(maskTrailingOnes<uint64_t>(ami::AddressBits)));
}

void TaskHandle::configure(IRBuilderBase &B, Value *HandlerBase,
                           unsigned HandlerBytes) const {
  ami::aconfig(B, ami::HandlerBase, HandlerBase);
  ami::aconfig(B, ami::HandlerSize, B.getInt64(HandlerBytes));
  ami::aconfig(B, ami::SpmBase, SpmBase);
  ami::aconfig(B, ami::SpmSlot, B.getInt64(uint64_t(1) << SlotShift));
}

void TaskHandle::start(IRBuilderBase &B, Value *Id, Value *HandlerBase,
                       unsigned HandlerBytes) const {
  if (IsTaskWord) {
    Value *Address =
        B.CreateAdd(HandlerBase, B.CreateMul(Id, B.getInt64(HandlerBytes)));
    Id = B.CreateOr(Address, B.CreateShl(Id, ami::AddressBits + SlotShift));
  }
  set(B, Id);
}

Value *TaskHandle::get(IRBuilderBase &B) const {
  return B.CreateLoad(B.getInt64Ty(), Handle);
}

Value *TaskHandle::id(IRBuilderBase &B) const {
  return IsTaskWord ? B.CreateLShr(get(B), ami::AddressBits + SlotShift)
                    : get(B);
}

Value *TaskHandle::frame(IRBuilderBase &B, Value *HandlerBase,
                         unsigned HandlerBytes) const {
  Value *H = get(B);
  if (IsTaskWord)
    return B.CreateIntToPtr(B.CreateAnd(H, AddressMask), B.getPtrTy());
  Value *Offset = B.CreateShl(H, Log2_32(HandlerBytes));
  return B.CreateIntToPtr(B.CreateAdd(HandlerBase, Offset), B.getPtrTy());
}

Value *TaskHandle::slot(IRBuilderBase &B, unsigned Bytes) const {
  Value *Offset = IsTaskWord ? B.CreateLShr(get(B), ami::AddressBits)
                             : B.CreateShl(get(B), SlotShift);
  Value *Start = B.CreateIntToPtr(B.CreateAdd(SpmBase, Offset), B.getPtrTy());
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start, Bytes);
}

Align TaskHandle::slotAlignment(unsigned Bytes) const {
  return commonAlignment(Align(uint64_t(1) << SlotShift), Bytes);
}
