// SPDX-License-Identifier: Apache-2.0

#include "schedule/LiveTasks.h"
#include "common/Names.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace asyncmem;

/// Tasks that end without a failing poll, in rounds of the live tasks, before
/// one is not replaced.
static constexpr unsigned Rounds = 2;

/// With so few tasks nothing is gained by fewer.
static constexpr unsigned FewestTasks = 4;

LiveTasks::LiveTasks(Function &F, Variables &Vars, unsigned Tasks, bool Shrinks)
    : Tasks(Tasks) {
  Type *I64 = Type::getInt64Ty(F.getContext());
  Live = Vars.create(I64, "live");
  if (!Shrinks || Tasks <= FewestTasks)
    return;
  Patience = Vars.create(I64, "patience");
  Highest = Vars.create(I64, "highest");
  FreeIds = new AllocaInst(
      ArrayType::get(Type::getInt16Ty(F.getContext()), Tasks + 1), 0,
      "free.ids", &*F.getEntryBlock().getFirstInsertionPt());
}

Value *LiveTasks::get(IRBuilderBase &B, AllocaInst *Variable) const {
  return B.CreateLoad(B.getInt64Ty(), Variable);
}

Value *LiveTasks::place(IRBuilderBase &B, Value *Index) const {
  return B.CreateInBoundsGEP(FreeIds->getAllocatedType(), FreeIds,
                             {B.getInt64(0), Index});
}

void LiveTasks::beginRounds(IRBuilderBase &B, Value *Count) {
  B.CreateStore(B.CreateMul(Count, B.getInt64(Rounds)), Patience);
}

void LiveTasks::start(IRBuilderBase &B) {
  B.CreateStore(B.getInt64(1), Live);
  if (!shrinks())
    return;
  B.CreateStore(B.getInt64(1), Highest);
  B.CreateStore(B.getInt64(Rounds), Patience);
}

Value *LiveTasks::pollFailed(IRBuilderBase &B) {
  Value *Count = get(B, Live);
  if (shrinks())
    beginRounds(B, Count);
  return B.CreateICmpNE(Count, B.getInt64(Tasks));
}

Value *LiveTasks::add(IRBuilderBase &B) {
  Value *Count = B.CreateAdd(get(B, Live), B.getInt64(1));
  B.CreateStore(Count, Live);
  if (!shrinks())
    return Count;
  // The place behind the highest ID becomes that of a new one.
  Value *Before = get(B, Highest);
  Value *IsNew = B.CreateICmpUGT(Count, Before);
  Value *Place = place(B, Count);
  LoadInst *Listed = B.CreateLoad(B.getInt16Ty(), Place);
  Listed->setMetadata(GrowTag, MDNode::get(B.getContext(), {}));
  Value *Free = B.CreateZExt(B.CreateFreeze(Listed), B.getInt64Ty());
  B.CreateStore(B.CreateSelect(IsNew, Count, Before), Highest);
  return B.CreateSelect(IsNew, Count, Free);
}

Value *LiveTasks::isTooMany(IRBuilderBase &B) {
  Value *Left = B.CreateSub(get(B, Patience), B.getInt64(1));
  B.CreateStore(Left, Patience);
  return B.CreateICmpEQ(Left, B.getInt64(0));
}

Value *LiveTasks::mayRemove(IRBuilderBase &B) {
  return B.CreateICmpUGT(keepInRegister(B, get(B, Live)),
                         B.getInt64(FewestTasks));
}

void LiveTasks::keep(IRBuilderBase &B) { beginRounds(B, get(B, Live)); }

void LiveTasks::remove(IRBuilderBase &B, Value *Id) {
  Value *Count = get(B, Live);
  B.CreateStore(B.CreateTrunc(Id, B.getInt16Ty()), place(B, Count))
      ->setMetadata(ShrinkTag, MDNode::get(B.getContext(), {}));
  Value *Fewer = B.CreateSub(Count, B.getInt64(1));
  B.CreateStore(Fewer, Live);
  beginRounds(B, Fewer);
}

Value *LiveTasks::end(IRBuilderBase &B) {
  Value *Left = B.CreateSub(get(B, Live), B.getInt64(1));
  B.CreateStore(Left, Live);
  return Left;
}
