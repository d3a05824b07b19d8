// SPDX-License-Identifier: Apache-2.0

#include "transform/NestedRanges.h"
#include "analysis/CounterValues.h"
#include "common/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class RangeCounter {
public:
  RangeCounter(TaskLoop &T, Loop &Inner, ScalarEvolution &SE)
      : T(T), Inner(Inner), SE(SE),
        Expander(SE, T.Header->getModule()->getDataLayout(), "range"),
        Latch(Inner.getLoopLatch()) {}

  void run(DominatorTree &DT, LoopInfo &LI) {
    BasicBlock *Before = Inner.getLoopPreheader();
    Entry =
        SplitBlock(Before, Before->getTerminator(), &DT, &LI, nullptr, "range");
    T.Blocks.insert(std::next(find(T.Blocks, Before)), Entry);
    const SCEV *Repeats =
        inTermsOfCounters(SE.getBackedgeTakenCount(&Inner), *T.L, SE);
    Type *I64 = Type::getInt64Ty(Entry->getContext());
    Value *Last = Expander.expandCodeFor(SE.getNoopOrZeroExtend(Repeats, I64),
                                         I64, Before->getTerminator());
    IRBuilder<> B(Before->getTerminator());
    Value *Count = B.CreateAdd(Last, B.getInt64(1), "range.count");
    B.SetInsertPoint(Entry->getTerminator());
    B.SetCurrentDebugLocation(Inner.getStartLoc());
    T.Nested->Begin = call(B, B.getInt64(0));
    T.Nested->End = call(B, Count);
    // Sums of parts may overflow where the whole one does not.
    for (const NestedReduction &R : T.Nested->Reductions)
      for (Instruction *Update : R.Updates)
        Update->dropPoisonGeneratingFlags();

    Value *End = endCondition();
    SmallVector<std::pair<PHINode *, const SCEV *>, 4> Steps;
    for (PHINode &Phi : Inner.getHeader()->phis())
      if (SE.isSCEVable(Phi.getType()))
        if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
            Recurrence && Recurrence->getLoop() == &Inner &&
            Recurrence->isAffine() && !isShared(Phi))
          Steps.push_back(
              {&Phi,
               inTermsOfCounters(Recurrence->getStepRecurrence(SE), *T.L, SE)});
    for (auto [Phi, Step] : Steps)
      Phi->setIncomingValueForBlock(
          Entry,
          advance(Phi->getIncomingValueForBlock(Entry), Step, T.Nested->Begin));
    if (!End)
      End = countIterations();
    auto *Branch = cast<BranchInst>(Latch->getTerminator());
    if (Branch->getSuccessor(0) == Inner.getHeader())
      Branch->swapSuccessors();
    Branch->setCondition(End);
    SE.forgetTopmostLoop(&Inner);
  }

private:
  TaskLoop &T;
  Loop &Inner;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  BasicBlock *Latch, *Entry = nullptr;

  static CallInst *call(IRBuilderBase &B, Value *V) {
    Module &M = *B.GetInsertBlock()->getModule();
    FunctionCallee Range =
        M.getOrInsertFunction(RangeFunction, V->getType(), V->getType());
    auto *F = cast<Function>(Range.getCallee());
    F->setMemoryEffects(MemoryEffects::none());
    F->addFnAttr(Attribute::WillReturn);
    F->addFnAttr(Attribute::NoUnwind);
    return B.CreateCall(Range, V);
  }

  /// Shared with the marked loop around it, or a sum.
  bool isShared(const PHINode &Phi) const {
    return any_of(T.Nested->Reductions,
                  [&](const NestedReduction &R) { return R.Phi == &Phi; }) ||
           any_of(T.Shared, [&](const SharedUpdate &S) {
             return S.Chain.contains(const_cast<PHINode *>(&Phi));
           });
  }

  /// \returns \p First, and \p Count times \p Step more.
  Value *advance(Value *First, const SCEV *Step, Value *Count) {
    IRBuilder<> B(Entry->getTerminator());
    Value *Each =
        Expander.expandCodeFor(Step, Step->getType(), Entry->getTerminator());
    B.SetInsertPoint(Entry->getTerminator());
    Value *All = B.CreateMul(B.CreateZExtOrTrunc(Count, Each->getType()), Each);
    return First->getType()->isPointerTy()
               ? B.CreateGEP(B.getInt8Ty(), First, All)
               : B.CreateAdd(First, All);
  }

  /// \returns whether the range ends, by a comparison of what the loop compares
  /// itself; null if that may have one value in two iterations.
  Value *endCondition() {
    auto *Branch = cast<BranchInst>(Latch->getTerminator());
    auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
    if (!Compare)
      return nullptr;
    for (Value *Counter : Compare->operands()) {
      auto *Recurrence = SE.isSCEVable(Counter->getType())
                             ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Counter))
                             : nullptr;
      if (!Recurrence || Recurrence->getLoop() != &Inner ||
          !Recurrence->isAffine())
        continue;
      auto *Step = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(SE));
      if (!Step || Step->isZero() ||
          !(Step->getAPInt().abs().isOne() || Recurrence->hasNoSelfWrap()))
        continue;
      const SCEV *Start = inTermsOfCounters(Recurrence->getStart(), *T.L, SE);
      if (!Start || !Expander.isSafeToExpandAt(Start, Entry->getTerminator()))
        continue;
      Value *First = Expander.expandCodeFor(Start, Counter->getType(),
                                            Entry->getTerminator());
      IRBuilder<> B(Entry->getTerminator());
      Value *Last =
          advance(First, Step, B.CreateSub(T.Nested->End, B.getInt64(1)));
      return IRBuilder<>(Branch).CreateICmpEQ(Counter, Last);
    }
    return nullptr;
  }

  Value *countIterations() {
    IRBuilder<> B(&Inner.getHeader()->front());
    PHINode *Counter = B.CreatePHI(B.getInt64Ty(), 2, "range.now");
    B.SetInsertPoint(Latch->getTerminator());
    Value *Next = B.CreateAdd(Counter, B.getInt64(1));
    Counter->addIncoming(T.Nested->Begin, Entry);
    Counter->addIncoming(Next, Latch);
    return B.CreateICmpEQ(Next, T.Nested->End);
  }
};

} // namespace

void asyncmem::countRange(TaskLoop &T, ScalarEvolution &SE, DominatorTree &DT,
                          LoopInfo &LI) {
  RangeCounter(T, *LI.getLoopFor(T.Nested->Header), SE).run(DT, LI);
}

void asyncmem::resolveRanges(Function &F) {
  Function *Range = F.getParent()->getFunction(RangeFunction);
  if (!Range)
    return;
  for (User *U : make_early_inc_range(Range->users())) {
    auto *Call = cast<CallInst>(U);
    if (Call->getFunction() != &F)
      continue;
    Call->replaceAllUsesWith(Call->getArgOperand(0));
    Call->eraseFromParent();
  }
  if (Range->use_empty())
    Range->eraseFromParent();
}
