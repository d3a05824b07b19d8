// SPDX-License-Identifier: Apache-2.0
// The marks of remote pointers: they go once accesses are collected, with what nothing
// but a mark needs; a loop that is analysed again gets them back.
//
// Algorithm: all calls of marks are erased; near pointers are remembered. Then instructions
// without a use are deleted, and the remote accesses among them are forgotten. If none is
// left, the loop is refused, and the text says what the marks name.
//
//   q = p->next; mark(q); s += p->value;   ->   s += p->value;   where nothing else needs q

#include "transform/Transforms.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;
using namespace asyncmem;

/// \returns the end of what is said of a loop without remote accesses.
static const char *whyNothing(const TaskLoop &T) {
  const char *Why = "; name the remote pointers with __builtin_is_remote";
  for (const BasicBlock *BB : T.Blocks)
    for (const Instruction &I : *BB) {
      if (saysUnmarked(I))
        return ": what it reaches is local, or at one address in all "
               "iterations";
      if (callsFunction(I, RemoteFunction))
        Why = ": none through what __builtin_is_remote names is left in it, "
              "calls aside";
    }
  return Why;
}

bool asyncmem::dropDeadAccesses(TaskLoop &T, Refusal &No) {
  const char *Why = whyNothing(T);
  SmallVector<WeakVH, 16> Remote(T.Remote.begin(), T.Remote.end());
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if (isMark(I)) {
        if (callsFunction(I, NearFunction))
          T.SaidNear.push_back(I.getOperand(0));
        I.eraseFromParent();
      }
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
         refuse(No, Twine("it has no remote access to wait for") + Why,
                nullptr);
}

void asyncmem::markAgain(const TaskLoop &T) {
  for (Instruction *Access : T.Remote) {
    IRBuilder<> B(Access);
    Value *Object = const_cast<Value *>(
        getUnderlyingObject(accessPointer(Access), /*MaxLookup=*/0));
    callFunction(B, RemoteFunction, {Object});
    if (T.Promised.contains(Access))
      callFunction(
          B, PromisedFunction,
          {Object, B.getInt32(T.Lossy.contains(Access) ? LossyUpdate
                                                       : DistinctUpdate)});
  }
  IRBuilder<> B(T.Latch->getTerminator());
  for (const WeakTrackingVH &Pointer : T.SaidNear)
    if (Pointer)
      callFunction(B, NearFunction, {Pointer});
}
