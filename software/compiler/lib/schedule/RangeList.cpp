// SPDX-License-Identifier: Apache-2.0

#include "schedule/RangeList.h"

using namespace llvm;
using namespace asyncmem;

RangeList::RangeList(Function &F, unsigned Tasks, ArrayRef<Type *> Values)
    : Tasks(Tasks) {
  LLVMContext &Context = F.getContext();
  Type *I64 = Type::getInt64Ty(Context);
  SmallVector<Type *, 12> Fields(FirstValue, I64);
  Fields.append(Values.begin(), Values.end());
  Record = StructType::get(Context, Fields);
  Instruction *Start = &*F.getEntryBlock().getFirstInsertionPt();
  auto Array = [&](Type *Element, unsigned Length, const char *Name) {
    return new AllocaInst(ArrayType::get(Element, Length), 0, Name, Start);
  };
  Records = Array(Record, Tasks + 1, "range.records");
  IsListed = Array(Type::getInt8Ty(Context), Tasks + 1, "range.is.listed");
  Listed = Array(Type::getInt16Ty(Context), Tasks + 2, "range.listed");
}

void RangeList::start(IRBuilderBase &B) const {
  setCount(B, B.getInt64(0));
  B.CreateMemSet(IsListed, B.getInt8(0), Tasks + 1, Align(1));
}

Value *RangeList::element(IRBuilderBase &B, AllocaInst *Array,
                          Value *Index) const {
  return B.CreateInBoundsGEP(Array->getAllocatedType(), Array,
                             {B.getInt64(0), Index});
}

Value *RangeList::count(IRBuilderBase &B) const {
  return idAt(B, B.getInt64(0));
}

void RangeList::setCount(IRBuilderBase &B, Value *Count) const {
  B.CreateStore(B.CreateTrunc(Count, B.getInt16Ty()),
                element(B, Listed, B.getInt64(0)));
}

Value *RangeList::idAt(IRBuilderBase &B, Value *Place) const {
  return B.CreateZExt(B.CreateLoad(B.getInt16Ty(), element(B, Listed, Place)),
                      B.getInt64Ty());
}

Value *RangeList::record(IRBuilderBase &B, Value *Id) const {
  return element(B, Records, Id);
}

Value *RangeList::place(IRBuilderBase &B, Value *Of, unsigned Field) const {
  return B.CreateStructGEP(Record, Of, Field);
}

Value *RangeList::get(IRBuilderBase &B, Value *Of, unsigned Field) const {
  return B.CreateLoad(Record->getElementType(Field), place(B, Of, Field));
}

void RangeList::set(IRBuilderBase &B, Value *Of, unsigned Field,
                    Value *V) const {
  B.CreateStore(V, place(B, Of, Field));
}

void RangeList::publish(IRBuilderBase &B, Value *Id) const {
  Value *Flag = element(B, IsListed, Id);
  Value *IsThere = B.CreateIsNotNull(B.CreateLoad(B.getInt8Ty(), Flag));
  Value *Count = count(B);
  Value *More = B.CreateAdd(Count, B.getInt64(1));
  Value *Place = B.CreateSelect(IsThere, B.getInt64(Tasks + 1), More);
  B.CreateStore(B.CreateTrunc(Id, B.getInt16Ty()), element(B, Listed, Place));
  setCount(B, B.CreateSelect(IsThere, Count, More));
  B.CreateStore(B.getInt8(1), Flag);
}

void RangeList::look(BasicBlock *From, BasicBlock *Found,
                     BasicBlock *None) const {
  Function &F = *From->getParent();
  auto NewBlock = [&](const char *Name) {
    return BasicBlock::Create(F.getContext(), Name, &F, From->getNextNode());
  };
  BasicBlock *Pop = NewBlock("range.pop"), *Top = NewBlock("range.top");
  IRBuilder<> B(From);
  Value *Count = count(B);
  B.CreateCondBr(B.CreateIsNull(Count), None, Top);

  B.SetInsertPoint(Top);
  Value *Id = idAt(B, Count), *Of = record(B, Id);
  B.CreateCondBr(B.CreateICmpULT(get(B, Of, Next), get(B, Of, Limit)), Found,
                 Pop);

  B.SetInsertPoint(Pop);
  B.CreateStore(B.getInt8(0), element(B, IsListed, Id));
  setCount(B, B.CreateSub(Count, B.getInt64(1)));
  B.CreateBr(From);
}

Value *RangeList::top(IRBuilderBase &B) const {
  return record(B, idAt(B, count(B)));
}
