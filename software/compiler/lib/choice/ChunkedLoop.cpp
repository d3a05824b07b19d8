// SPDX-License-Identifier: Apache-2.0

#include "choice/ChunkedLoop.h"

using namespace llvm;
using namespace asyncmem;

ChunkedLoop::ChunkedLoop(TaskLoop &T, IterationLimit &Limit, IRBuilderBase &B,
                         Value *Budget, function_ref<Value *(PHINode *)> Now)
    : T(T), Limit(Limit) {
  for (PHINode &Phi : T.Header->phis())
    Phis.push_back(&Phi);
  Limit.apply(B, Budget, Now);
}

void ChunkedLoop::splitExits(function_ref<void(BasicBlock *, Value *)> Leave) {
  for (ExitEdge &E : T.Exits) {
    if (E.To == Limit.chunkEnd())
      continue;
    BasicBlock *Between = splitExit(T, E, "adapt.exit");
    Leave(Between, Limit.iterationsAtExit(Between));
  }
}

Value *ChunkedLoop::finish(BasicBlock *Next) {
  BasicBlock *End = Limit.chunkEnd();
  for (PHINode *Phi : Phis) {
    IRBuilder<> B(End, End->begin());
    PHINode *Last = B.CreatePHI(Phi->getType(), 3, Phi->getName() + ".chunk");
    Last->addIncoming(Phi->getIncomingValueForBlock(T.Latch), T.Latch);
    After[Phi] = Last;
  }
  return Limit.finish(Next, [&](PHINode *Phi) { return After.lookup(Phi); });
}
