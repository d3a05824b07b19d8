// SPDX-License-Identifier: Apache-2.0

#include "transform/ExclusiveUpdates.h"
#include "analysis/UpdateRegion.h"
#include "loop/MemoryAccess.h"
#include "transform/OwnerTable.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

void asyncmem::takeOwnership(TaskLoop &T, DominatorTree &DT, LoopInfo &LI) {
  OwnerTable Owners(T);
  for (const RemoteUpdate &U : T.Updates) {
    UpdateRegion Region(T, U);
    assert(!Region.isOpen() && "findRemoteUpdates refuses those");
    IRBuilder<> B(U.First);
    Value *Lock = Owners.own(B, U.First->getPointerOperand());
    for (auto [Last, To] : Region.ends()) {
      if (!To) {
        B.SetInsertPoint(Last->getNextNode());
      } else if (To->getSinglePredecessor()) {
        B.SetInsertPoint(&*To->getFirstInsertionPt());
      } else {
        BasicBlock *From = Last->getParent();
        BasicBlock *Between = SplitCriticalEdge(
            From, To,
            CriticalEdgeSplittingOptions(&DT, &LI).setMergeIdenticalEdges());
        T.Blocks.insert(std::next(find(T.Blocks, From)), Between);
        B.SetInsertPoint(Between->getTerminator());
      }
      B.SetCurrentDebugLocation(Last->getDebugLoc());
      Owners.release(B, Lock);
    }
  }
  if (T.Updates.empty())
    return;
  for (Instruction *Access : T.Remote) {
    if (!Access->isAtomic())
      continue;
    IRBuilder<> B(Access);
    Value *Lock = Owners.own(B, accessPointer(Access));
    B.SetInsertPoint(Access->getNextNode());
    Owners.release(B, Lock);
  }
}
