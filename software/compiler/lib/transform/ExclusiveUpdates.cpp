// SPDX-License-Identifier: Apache-2.0

#include "transform/ExclusiveUpdates.h"
#include "analysis/RemoteUpdates.h"
#include "loop/Request.h"
#include "transform/OwnerTable.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

/// \returns a block on the critical edge. LoopInfo is not told before it is there:
/// to keep its form, other edges that leave the loop for \p To would go to a new
/// block, but ends of the region are on those, too.
static BasicBlock *splitEdge(BasicBlock &From, BasicBlock &To,
                             DominatorTree &DT, LoopInfo &LI) {
  BasicBlock *Between = SplitCriticalEdge(
      &From, &To, CriticalEdgeSplittingOptions(&DT).setMergeIdenticalEdges());
  assert(Between && "several ways lead to the end of the edge");
  Loop *Around = LI.getLoopFor(&From);
  while (!Around->contains(&To))
    Around = Around->getParentLoop();
  Around->addBasicBlockToLoop(Between, LI);
  return Between;
}

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
      } else if (To->getUniquePredecessor()) {
        B.SetInsertPoint(&*To->getFirstInsertionPt());
      } else {
        BasicBlock *From = Last->getParent();
        BasicBlock *Between = splitEdge(*From, *To, DT, LI);
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
