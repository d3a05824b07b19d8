// SPDX-License-Identifier: Apache-2.0

#include "transform/Marks.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "loop/Request.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

static bool namesRemotePointers(const TaskLoop &T) {
  return any_of(T.Blocks, [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) {
      return callsFunction(I, RemoteFunction);
    });
  });
}

bool asyncmem::dropDeadAccesses(TaskLoop &T, Refusal &No) {
  bool Named = namesRemotePointers(T);
  SmallVector<WeakVH, 16> Remote(T.Remote.begin(), T.Remote.end());
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if (isMark(I))
        I.eraseFromParent();
  removeDeadInstructions(T);
  // An address may come back as another access.
  for (const auto &[Access, Left] : zip(T.Remote, Remote))
    if (!Left) {
      T.Promised.erase(Access);
      T.Lossy.erase(Access);
    }
  T.Remote.clear();
  for (const WeakVH &Left : Remote)
    if (Left)
      T.Remote.push_back(cast<Instruction>(Left));
  erase_if(T.UnmarkedObjects,
           [&](const auto &Found) { return !T.isRemote(Found.first); });
  No.NothingRemote = T.Remote.empty();
  return !No.NothingRemote ||
         refuse(No,
                Named ? "it has no remote access to wait for: none through "
                        "what __builtin_is_remote names is left in it, "
                        "calls aside"
                      : "it has no remote access to wait for; name the "
                        "remote pointers with __builtin_is_remote",
                nullptr);
}

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
