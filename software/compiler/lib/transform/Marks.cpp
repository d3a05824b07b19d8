// SPDX-License-Identifier: Apache-2.0

#include "transform/Marks.h"
#include "common/Names.h"
#include "loop/MemoryAccess.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

static Module &moduleAt(const IRBuilderBase &B) {
  return *B.GetInsertBlock()->getModule();
}

void asyncmem::markRemote(IRBuilderBase &B, Value *Pointer) {
  FunctionCallee Mark = moduleAt(B).getOrInsertFunction(
      RemoteFunction, B.getVoidTy(), B.getPtrTy());
  B.CreateCall(Mark, {Pointer});
}

void asyncmem::markPromised(IRBuilderBase &B, Value *Pointer, unsigned Kind) {
  FunctionCallee Mark = moduleAt(B).getOrInsertFunction(
      PromisedFunction, B.getVoidTy(), B.getPtrTy(), B.getInt32Ty());
  B.CreateCall(Mark, {Pointer, B.getInt32(Kind)});
}

void asyncmem::markAgain(const TaskLoop &T) {
  for (Instruction *Access : T.Remote) {
    IRBuilder<> B(Access);
    Value *Object = const_cast<Value *>(
        getUnderlyingObject(accessPointer(Access), /*MaxLookup=*/0));
    markRemote(B, Object);
    if (T.Promised.contains(Access))
      markPromised(B, Object,
                   T.Lossy.contains(Access) ? LossyUpdate : DistinctUpdate);
  }
}
