// SPDX-License-Identifier: Apache-2.0

#include "analysis/Shape.h"
#include "analysis/IterationGraph.h"
#include "common/Calls.h"
#include "common/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

bool asyncmem::analyzeShape(TaskLoop &T, Refusal &No) {
  Loop &L = *T.L;
  T.Preheader = L.getLoopPreheader();
  T.Header = L.getHeader();
  T.Latch = L.getLoopLatch();
  Instruction *Start = T.Header->getTerminator();
  if (T.Header->getParent()->callsFunctionThatReturnsTwice())
    return refuse(No, "its function calls setjmp or the like", Start);
  if (!T.Preheader || !T.Latch)
    return refuse(No, "it is entered or repeated in more than one place",
                  Start);
  if (!L.hasDedicatedExits())
    return refuse(No, "it is left in a way that cannot be redirected", Start);
  SmallVector<Loop::Edge, 4> Exits;
  L.getExitEdges(Exits);
  for (auto [From, To] : Exits) {
    bool Known = any_of(T.Exits, [&, From = From, To = To](const ExitEdge &E) {
      return E.From == From && E.To == To;
    });
    if (!Known)
      T.Exits.push_back(
          {const_cast<BasicBlock *>(From), const_cast<BasicBlock *>(To)});
  }
  if (T.Exits.empty())
    return refuse(No, "it never ends", Start);
  auto *Branch = dyn_cast<BranchInst>(T.Latch->getTerminator());
  if (T.Exits.size() == 1 && T.Exits[0].From == T.Latch && Branch) {
    T.ContinueCondition = Branch->getCondition();
    T.ContinueOnTrue = Branch->getSuccessor(0) == T.Header;
  }
  if (BasicBlock *Endless = IterationGraph(T).endlessBlock())
    return refuse(No, "a loop in it never ends", Endless->getTerminator());
  return true;
}

bool asyncmem::isWhole(const Loop &L) {
  if (!L.isInnermost())
    return false;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (I.isVolatile() || I.isAtomic() ||
          (isa<CallBase>(I) && !isa<IntrinsicInst>(I) &&
           !callsFunction(I, FreshFunction) && !isMark(I)))
        return false;
  return true;
}
