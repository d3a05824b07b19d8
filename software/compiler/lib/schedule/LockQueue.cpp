// SPDX-License-Identifier: Apache-2.0

#include "schedule/LockQueue.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace asyncmem;

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
