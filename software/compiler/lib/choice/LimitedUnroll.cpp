// SPDX-License-Identifier: Apache-2.0

#include "choice/LimitedUnroll.h"
#include "common/BlockCopies.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace asyncmem;

/// Instructions of an iteration of which two are not much.
static constexpr unsigned LongIteration = 48;

static bool isShort(const Loop &L) {
  unsigned Instructions = 0;
  for (const BasicBlock *BB : L.blocks())
    Instructions += range_size(BB->instructionsWithoutDebug());
  return Instructions <= LongIteration;
}

namespace {

/// Iterations are copies of the first one, each behind the one before it.
class Unroller {
public:
  explicit Unroller(const Loop &L)
      : Header(*L.getHeader()), Latch(*L.getLoopLatch()), LastLatch(&Latch),
        Blocks(L.block_begin(), L.block_end()) {
    const Instruction *Branch = Latch.getTerminator();
    OnAgain = Branch->getSuccessor(0) == &Header ? 0 : 1;
    LimitReached = Branch->getSuccessor(1 - OnAgain);
    for (PHINode &Phi : Header.phis())
      Now[&Phi] = Phi.getIncomingValueForBlock(&Latch);
  }

  void addIteration() {
    ValueToValueMapTy Map;
    const auto New = copyBlocks(Blocks, Map, "again");
    BasicBlock *Before = LastLatch;
    for (BasicBlock *BB : New) {
      BB->moveAfter(Before);
      Before = BB;
    }
    for (auto [Phi, Value] : Now) {
      auto *Copy = cast<PHINode>(Map.lookup(Phi));
      Copy->replaceAllUsesWith(Value);
      Copy->eraseFromParent();
      Map[Phi] = Value;
    }
    joinBehindCopies(Blocks, Map);
    auto After = [&](Value *V) {
      Value *Mapped = Map.lookup(V);
      return Mapped ? Mapped : V;
    };
    for (auto &[Phi, Value] : Now)
      Value = After(Phi->getIncomingValueForBlock(&Latch));
    LastLatch->getTerminator()->setSuccessor(OnAgain, New.front());
    Questions.push_back(LastLatch);
    LastLatch = cast<BasicBlock>(Map.lookup(&Latch));
    LastLatch->getTerminator()->setSuccessor(OnAgain, &Header);
  }

  void finish() {
    for (auto [Phi, Value] : Now) {
      Phi->setIncomingValueForBlock(&Latch, Value);
      Phi->replaceIncomingBlockWith(&Latch, LastLatch);
    }
    for (BasicBlock *Before : Questions) {
      LimitReached->removePredecessor(Before, /*KeepOneInputPHIs=*/true);
      Instruction *Branch = Before->getTerminator();
      BasicBlock *Next = Branch->getSuccessor(OnAgain);
      ReplaceInstWithInst(Branch, BranchInst::Create(Next));
    }
  }

private:
  BasicBlock &Header, &Latch;
  /// Of the last iteration; the others ask for the limit, too, until the end.
  BasicBlock *LastLatch;
  SmallVector<BasicBlock *, 4> Questions;
  SmallVector<BasicBlock *, 8> Blocks;
  /// Which successor of the latch the next iteration is, and what the other is.
  unsigned OnAgain;
  BasicBlock *LimitReached;
  /// What the header's phis are behind the last iteration.
  MapVector<PHINode *, Value *> Now;
};

} // namespace

Value *asyncmem::wholeLimit(IRBuilderBase &B, Value *Iterations) {
  return B.CreateAnd(Iterations, -uint64_t(IterationsBetweenLimits));
}

void asyncmem::unrollLimited(BasicBlock &Header) {
  DominatorTree DT(*Header.getParent());
  LoopInfo LI(DT);
  Loop *L = LI.getLoopFor(&Header);
  assert(L && L->getHeader() == &Header && L->getLoopLatch() &&
         "it was analysed");
  if (!L->isInnermost() || !isShort(*L) || !L->isSafeToClone())
    return;
  formLCSSA(*L, DT, &LI, nullptr);
  Unroller Iterations(*L);
  for (unsigned N = 1; N < IterationsBetweenLimits; ++N)
    Iterations.addIteration();
  Iterations.finish();
}
