// SPDX-License-Identifier: Apache-2.0

#include "frontend/JoinedLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns true if \p From has only phis and leads to \p To alone.
bool onlyLeadsTo(const BasicBlock &From, const BasicBlock &To) {
  return From.getSingleSuccessor() == &To &&
         From.getFirstNonPHIOrDbg() == From.getTerminator();
}

/// \returns \p Phi as one of \p Header, in which the edges from \p Latches will
/// end as well.
PHINode *moveToHeader(PHINode &Phi, BasicBlock &Header,
                      ArrayRef<BasicBlock *> Latches) {
  Value *Start = Phi.getIncomingValueForBlock(&Header);
  auto *StartPhi = dyn_cast<PHINode>(Start);
  if (StartPhi && StartPhi->getParent() != &Header)
    StartPhi = nullptr;
  auto *Joined = PHINode::Create(Phi.getType(), 0, "", &Header.front());
  Joined->takeName(&Phi);
  Joined->setDebugLoc(Phi.getDebugLoc());
  for (BasicBlock *From : predecessors(&Header))
    Joined->addIncoming(
        StartPhi ? StartPhi->getIncomingValueForBlock(From) : Start, From);
  for (BasicBlock *From : Latches)
    Joined->addIncoming(Phi.getIncomingValueForBlock(From), From);
  return Joined;
}

} // namespace

bool asyncmem::joinWithOuter(Loop &Inner) {
  Loop *Outer = Inner.getParentLoop();
  BasicBlock *Header = Outer ? Outer->getHeader() : nullptr;
  BasicBlock *InnerHeader = Inner.getHeader();
  if (!Outer || !onlyLeadsTo(*Header, *InnerHeader))
    return false;
  // One for each edge.
  SmallVector<BasicBlock *, 8> Latches;
  for (BasicBlock *From : predecessors(InnerHeader))
    if (From != Header)
      Latches.push_back(From);
  SmallVector<PHINode *, 8> Unchanged;
  for (PHINode &Phi : Header->phis())
    Unchanged.push_back(&Phi);
  while (auto *Phi = dyn_cast<PHINode>(&InnerHeader->front())) {
    Phi->replaceAllUsesWith(moveToHeader(*Phi, *Header, Latches));
    Phi->eraseFromParent();
  }
  for (PHINode *Phi : Unchanged)
    for (BasicBlock *From : Latches)
      Phi->addIncoming(Phi, From);
  for (BasicBlock *From : Latches)
    From->getTerminator()->replaceSuccessorWith(InnerHeader, Header);

  SmallVector<BasicBlock *, 8> Ends;
  for (BasicBlock *From : predecessors(Header))
    if (Outer->contains(From) && !is_contained(Ends, From))
      Ends.push_back(From);
  SplitBlockPredecessors(Header, Ends, ".asyncmem.latch");
  return true;
}
