// SPDX-License-Identifier: Apache-2.0
// How often an inner loop repeats, in terms of the counters that the marked loop has.
//
// Algorithm: LLVM's expander would give a recurrence of the marked loop a counter of its
// own, which no task would have. So each recurrence becomes a multiple of a phi that
// advances as it does: start + (step of it / step of the phi) * (phi - start of the phi).
//
//   for (i = a; i < n; i += 2) for (j = 0; j < 8 * i; ...)   {8a,+,16} -> 8a + 8 * (i - a)

#include "requests/Requests.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class CounterRewriter : public SCEVRewriteVisitor<CounterRewriter> {
public:
  CounterRewriter(const Loop &L, ScalarEvolution &SE)
      : SCEVRewriteVisitor(SE), L(L) {}

  bool Failed = false;

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *Recurrence) {
    if (Recurrence->getLoop() != &L)
      return SCEVRewriteVisitor::visitAddRecExpr(Recurrence);
    for (PHINode &Phi : L.getHeader()->phis()) {
      auto *Counter = SE.isSCEVable(Phi.getType())
                          ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))
                          : nullptr;
      if (!Counter || Counter->getLoop() != &L || !Counter->isAffine() ||
          !Recurrence->isAffine() || !Phi.getType()->isIntegerTy() ||
          !Recurrence->getType()->isIntegerTy() ||
          SE.getTypeSizeInBits(Phi.getType()) <
              SE.getTypeSizeInBits(Recurrence->getType()))
        continue;
      auto Narrow = [&](const SCEV *S) {
        return SE.getTruncateOrNoop(S, Recurrence->getType());
      };
      const SCEV *Factor =
          quotient(Recurrence->getOperand(1), Narrow(Counter->getOperand(1)));
      if (!Factor)
        continue;
      const SCEV *Advanced =
          Narrow(SE.getMinusSCEV(SE.getUnknown(&Phi), Counter->getStart()));
      return SE.getAddExpr(Recurrence->getStart(),
                           SE.getMulExpr(Factor, Advanced));
    }
    Failed = true;
    return Recurrence;
  }

private:
  const Loop &L;

  /// \returns what \p Step is times \p Of; null if that is not known.
  const SCEV *quotient(const SCEV *Step, const SCEV *Of) {
    if (Step == Of)
      return SE.getOne(Step->getType());
    auto *Divisor = dyn_cast<SCEVConstant>(Of);
    if (!Divisor || Divisor->isZero())
      return nullptr;
    if (Divisor->getAPInt().abs().isOne())
      return SE.getMulExpr(Step, Of);
    auto *Dividend = dyn_cast<SCEVConstant>(Step);
    if (!Dividend || !Dividend->getAPInt().srem(Divisor->getAPInt()).isZero())
      return nullptr;
    return SE.getConstant(Dividend->getAPInt().sdiv(Divisor->getAPInt()));
  }
};

} // namespace

const SCEV *asyncmem::inTermsOfCounters(const SCEV *S, const Loop &L,
                                        ScalarEvolution &SE) {
  CounterRewriter Rewriter(L, SE);
  const SCEV *Result = Rewriter.visit(S);
  return Rewriter.Failed ? nullptr : Result;
}
