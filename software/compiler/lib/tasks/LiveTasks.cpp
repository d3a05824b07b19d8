// SPDX-License-Identifier: Apache-2.0

#include "tasks/LiveTasks.h"
#include "common/MemoryVariables.h"
#include "common/Names.h"

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
  FreeIds = createVariable(
      F, ArrayType::get(Type::getInt16Ty(F.getContext()), Tasks + 1),
      "free.ids");
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
  Value *Count = loadVariable(B, Live);
  if (shrinks())
    beginRounds(B, Count);
  return B.CreateICmpNE(Count, B.getInt64(Tasks));
}

Value *LiveTasks::add(IRBuilderBase &B) {
  Value *Count = B.CreateAdd(loadVariable(B, Live), B.getInt64(1));
  B.CreateStore(Count, Live);
  if (!shrinks())
    return Count;
  // The place behind the highest ID becomes that of a new one.
  Value *Before = loadVariable(B, Highest);
  Value *IsNew = B.CreateICmpUGT(Count, Before);
  Value *Place = place(B, Count);
  LoadInst *Listed = B.CreateLoad(B.getInt16Ty(), Place);
  Listed->setMetadata(GrowTag, MDNode::get(B.getContext(), {}));
  Value *Free = B.CreateZExt(B.CreateFreeze(Listed), B.getInt64Ty());
  B.CreateStore(B.CreateSelect(IsNew, Count, Before), Highest);
  return B.CreateSelect(IsNew, Count, Free);
}

Value *LiveTasks::isTooMany(IRBuilderBase &B) {
  Value *Left = B.CreateSub(loadVariable(B, Patience), B.getInt64(1));
  B.CreateStore(Left, Patience);
  return B.CreateICmpEQ(Left, B.getInt64(0));
}

Value *LiveTasks::mayRemove(IRBuilderBase &B) {
  return B.CreateICmpUGT(keepInRegister(B, loadVariable(B, Live)),
                         B.getInt64(FewestTasks));
}

void LiveTasks::keep(IRBuilderBase &B) {
  beginRounds(B, loadVariable(B, Live));
}

void LiveTasks::remove(IRBuilderBase &B, Value *Id) {
  Value *Count = loadVariable(B, Live);
  B.CreateStore(B.CreateTrunc(Id, B.getInt16Ty()), place(B, Count))
      ->setMetadata(ShrinkTag, MDNode::get(B.getContext(), {}));
  Value *Fewer = B.CreateSub(Count, B.getInt64(1));
  B.CreateStore(Fewer, Live);
  beginRounds(B, Fewer);
}

Value *LiveTasks::end(IRBuilderBase &B) {
  Value *Left = B.CreateSub(loadVariable(B, Live), B.getInt64(1));
  B.CreateStore(Left, Live);
  return Left;
}

LockQueue::LockQueue(IRBuilderBase &B, Value *Lock, AllocaInst *Next)
    : Lock(Lock), Next(Next), Word(B.CreateLoad(B.getInt64Ty(), Lock)) {}

Value *LockQueue::isFree(IRBuilderBase &B) const {
  return B.CreateIsNull(Word);
}

void LockQueue::take(IRBuilderBase &B) const {
  store(B, B.getInt64(0), B.getInt64(0));
}

void LockQueue::append(IRBuilderBase &B, Value *Id) const {
  Value *Last = last(B);
  // Element 0 is written when the queue was empty, and never read.
  B.CreateStore(B.CreateTrunc(Id, B.getInt16Ty()), nextOf(B, Last));
  store(B, B.CreateSelect(B.CreateIsNull(Last), Id, first(B)), Id);
}

Value *LockQueue::first(IRBuilderBase &B) const {
  return B.CreateAnd(Word, maskTrailingOnes<uint64_t>(IdBits));
}

void LockQueue::release(IRBuilderBase &B) const {
  B.CreateStore(B.getInt64(0), Lock);
}

void LockQueue::removeFirst(IRBuilderBase &B) const {
  Value *First = first(B), *Last = last(B);
  Value *Second = B.CreateZExt(B.CreateLoad(B.getInt16Ty(), nextOf(B, First)),
                               B.getInt64Ty());
  Value *Empty = B.CreateICmpEQ(First, Last);
  store(B, B.CreateSelect(Empty, B.getInt64(0), Second),
        B.CreateSelect(Empty, B.getInt64(0), Last));
}

Value *LockQueue::last(IRBuilderBase &B) const {
  return B.CreateAnd(B.CreateLShr(Word, IdBits),
                     maskTrailingOnes<uint64_t>(IdBits));
}

Value *LockQueue::nextOf(IRBuilderBase &B, Value *Id) const {
  return B.CreateInBoundsGEP(Next->getAllocatedType(), Next,
                             {B.getInt64(0), Id});
}

/// Stores a taken lock.
void LockQueue::store(IRBuilderBase &B, Value *First, Value *Last) const {
  Value *Ids = B.CreateOr(First, B.CreateShl(Last, IdBits));
  B.CreateStore(B.CreateOr(Ids, uint64_t(1) << (2 * IdBits)), Lock);
}
