// SPDX-License-Identifier: Apache-2.0

#include "transform/Marks.h"
#include "common/Names.h"
#include "loop/Request.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

static Module &moduleAt(const IRBuilderBase &B) {
  return *B.GetInsertBlock()->getModule();
}

/// Marks \p Pointer as one to remote memory where \p B stands.
static void markRemote(IRBuilderBase &B, Value *Pointer) {
  FunctionCallee Mark = moduleAt(B).getOrInsertFunction(
      RemoteFunction, B.getVoidTy(), B.getPtrTy());
  B.CreateCall(Mark, {Pointer});
}

/// Writes down that a clause of \p Kind names \p Pointer.
static void markPromised(IRBuilderBase &B, Value *Pointer, unsigned Kind) {
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
