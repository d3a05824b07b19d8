// SPDX-License-Identifier: Apache-2.0

#include "transform/OwnerTable.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "common/Target.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

/// Two words that share a lock wait for each other without need, which is rare
/// with as many locks as tasks.
static constexpr unsigned OwnerLog2 = 10;

Value *OwnerTable::own(IRBuilderBase &B, Value *Pointer) {
  Type *Table = ArrayType::get(B.getInt64Ty(), uint64_t(1) << OwnerLog2);
  if (!T.Owners) {
    // All locks are free when the loop ends, so that it is filled only once.
    T.Owners = new GlobalVariable(
        *T.Header->getModule(), Table,
        /*isConstant=*/false, GlobalValue::InternalLinkage,
        ConstantAggregateZero::get(Table), "asyncmem.owners");
    T.Owners->setAlignment(Align(LineBytes));
  }
  // Multiplicative hashing of the word's number by 2^64 / golden ratio.
  Value *Word = B.CreateLShr(B.CreatePtrToInt(Pointer, B.getInt64Ty()), 3);
  Value *Hash = B.CreateMul(Word, B.getInt64(0x9e3779b97f4a7c15));
  Value *Lock = B.CreateInBoundsGEP(
      Table, T.Owners, {B.getInt64(0), B.CreateLShr(Hash, 64 - OwnerLog2)});
  call(B, LockFunction, Lock);
  return Lock;
}

void OwnerTable::release(IRBuilderBase &B, Value *Lock) {
  call(B, UnlockFunction, Lock);
}

void OwnerTable::call(IRBuilderBase &B, StringRef Name, Value *Lock) {
  FunctionCallee Callee = T.Header->getModule()->getOrInsertFunction(
      Name, B.getVoidTy(), B.getPtrTy());
  B.CreateCall(Callee, {Lock})->setDoesNotThrow();
}

void asyncmem::forgetOwners(const GlobalVariable *Owners,
                            ArrayRef<BasicBlock *> Blocks) {
  if (!Owners)
    return;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if ((isLock(I) || isUnlock(I)) &&
          getUnderlyingObject(I.getOperand(0)) == Owners)
        I.eraseFromParent();
}
