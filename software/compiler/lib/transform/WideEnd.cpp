// SPDX-License-Identifier: Apache-2.0

#include "transform/WideEnd.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

/// \returns \p Bound, from the preheader of \p L, as wide as \p Next, of which the loop
/// compares the lower bits with it; null if those may wrap on the way there.
static Value *wideBound(Loop &L, Value *Next, Value *Bound,
                        ScalarEvolution &SE) {
  Type *Wide = Next->getType(), *Narrow = Bound->getType();
  auto *Growing = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Next));
  if (!Growing || Growing->getLoop() != &L || !Growing->isAffine() ||
      !Growing->getStepRecurrence(SE)->isOne())
    return nullptr;
  const SCEV *First = SE.getMinusSCEV(Growing->getStart(), SE.getOne(Wide));
  const SCEV *Low = SE.getTruncateExpr(First, Narrow);
  for (bool IsSigned : {false, true}) {
    const SCEV *Extended = IsSigned ? SE.getSignExtendExpr(Low, Wide)
                                    : SE.getZeroExtendExpr(Low, Wide);
    if (Extended != First ||
        !SE.isLoopEntryGuardedByCond(
            &L, IsSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, Low,
            SE.getSCEV(Bound)))
      continue;
    IRBuilder<> B(L.getLoopPreheader()->getTerminator());
    return IsSigned ? B.CreateSExt(Bound, Wide) : B.CreateZExt(Bound, Wide);
  }
  return nullptr;
}

void asyncmem::widenEnd(Loop &L, ScalarEvolution &SE) {
  auto *Branch = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  auto *Compare = Branch && Branch->isConditional()
                      ? dyn_cast<ICmpInst>(Branch->getCondition())
                      : nullptr;
  if (!Compare || !Compare->isEquality())
    return;
  for (unsigned Side : {0, 1}) {
    auto *LowBits = dyn_cast<TruncInst>(Compare->getOperand(Side));
    Value *Bound = Compare->getOperand(1 - Side);
    if (!LowBits || !L.isLoopInvariant(Bound))
      continue;
    Value *Next = LowBits->getOperand(0);
    Value *Wide = wideBound(L, Next, Bound, SE);
    if (!Wide)
      continue;
    IRBuilder<> B(Branch);
    Branch->setCondition(B.CreateICmp(Compare->getPredicate(), Next, Wide));
    RecursivelyDeleteTriviallyDeadInstructions(Compare);
    SE.forgetLoop(&L);
    return;
  }
}
