// SPDX-License-Identifier: Apache-2.0
// The code that planned strips (StripRequests.cpp) need before the loop is taken apart.

#include "requests/StripRequests.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

void asyncmem::countStrips(TaskLoop &T, ScalarEvolution &SE,
                           const LoopInfo &LI) {
  for (const AccessGroup &Group : T.Groups) {
    if (!Group.Strip)
      continue;
    const Loop *Inner = LI.getLoopFor(Group.RowHeader);
    Instruction *End = Inner->getLoopPreheader()->getTerminator();
    IRBuilder<> B(End);
    SCEVExpander Expander(SE, T.Header->getModule()->getDataLayout(),
                          "repeats");
    const SCEV *Repeats =
        SE.getNoopOrZeroExtend(Group.Strip->RepeatCount, B.getInt64Ty());
    [[maybe_unused]] const Instruction *Carried = &T.Header->front();
    Value *Count = Expander.expandCodeFor(Repeats, B.getInt64Ty(), End);
    assert(&T.Header->front() == Carried &&
           "tasks do not know what else the marked loop carries");
    BasicBlock &Entry = T.Header->getParent()->getEntryBlock();
    auto *Variable = new AllocaInst(B.getInt64Ty(), 0, "repeats",
                                    &*Entry.getFirstInsertionPt());
    Group.Strip->Repeats = B.CreateStore(Count, Variable);
  }
}
