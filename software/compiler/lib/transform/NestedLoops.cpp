// SPDX-License-Identifier: Apache-2.0

#include "transform/NestedLoops.h"
#include "analysis/Classify.h"
#include "analysis/CounterValues.h"
#include "analysis/Legality.h"
#include "analysis/RemoteUpdates.h"
#include "analysis/Shape.h"
#include "analysis/UpdateRegion.h"
#include "common/Calls.h"
#include "common/Commutative.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// What computing the number of iterations may cost, in simple operations.
constexpr unsigned MaxCost = 64;

class NestedFinder {
public:
  NestedFinder(TaskLoop &T, TaskLoop &Own, const NestedAnalyses &Analyses,
               Refusal &No)
      : T(T), Own(Own), Inner(*Own.L), AA(Analyses.AA), LI(Analyses.LI),
        SE(Analyses.SE), TTI(Analyses.TTI), No(No) {}

  bool find() {
    return isCounted() && isApart() && iterationsStayApart() &&
           findReductions() && leavesNothingElse();
  }

private:
  TaskLoop &T;
  /// The inner loop as if it were the marked one.
  TaskLoop &Own;
  Loop &Inner;
  AAResults &AA;
  LoopInfo &LI;
  ScalarEvolution &SE;
  const TargetTransformInfo &TTI;
  Refusal &No;
  NestedLoop Found;

  bool refuse(const Twine &Why, const Instruction *At) {
    return asyncmem::refuse(No, Why, At);
  }

  bool isCounted() {
    Instruction *Start = Inner.getHeader()->getTerminator();
    if (Inner.getParentLoop() != T.L)
      return refuse("it is not directly inside the marked loop around it",
                    Start);
    BasicBlock *Preheader = Inner.getLoopPreheader();
    if (!Preheader || !Inner.getLoopLatch() || !Inner.hasDedicatedExits() ||
        Inner.getExitingBlock() != Inner.getLoopLatch())
      return refuse("it is left elsewhere than at the end of an iteration",
                    Start);
    const SCEV *Repeats = SE.getBackedgeTakenCount(&Inner);
    Instruction *Before = Preheader->getTerminator();
    SCEVExpander Expander(SE, T.Header->getModule()->getDataLayout(), "count");
    if (isa<SCEVCouldNotCompute>(Repeats) ||
        SE.getTypeSizeInBits(Repeats->getType()) > 64 ||
        !(Repeats = inTermsOfCounters(Repeats, *T.L, SE)) ||
        !Expander.isSafeToExpandAt(Repeats, Before) ||
        Expander.isHighCostExpansion(Repeats, T.L, MaxCost, &TTI, Before))
      return refuse("how often it repeats is not known before it begins",
                    Start);
    unsigned Most = SE.getSmallConstantMaxTripCount(&Inner);
    if (Most && Most <= LeastShared)
      return refuse("it has at most " + Twine(Most) + " iterations", Start);
    return true;
  }

  /// \returns true if a task with a frame and a slot of its own can run a part.
  bool isApart() {
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB) {
        if (isLock(I) || isUnlock(I))
          return refuse("the marked loop around it takes locks", &I);
        if (Inner.contains(&I) && T.Slice.contains(&I))
          return refuse("it decides about the next iteration of the marked "
                        "loop around it",
                        &I);
      }
    for (const RemoteUpdate &U : T.Updates) {
      bool Spans = false;
      UpdateRegion(T, U).forEach([&](Instruction &I) {
        Spans |= Inner.contains(&I) && !Inner.contains(U.First);
      });
      if (Spans)
        return refuse("an update of a remote word begins before it and ends "
                      "behind it",
                      U.First);
    }
    for (AllocaInst *Variable : T.PrivateMemory)
      if (isUsedAcross(Variable))
        return refuse("it shares a variable in memory with the rest of the "
                      "iteration",
                      Inner.getHeader()->getTerminator());
    return true;
  }

  bool isUsedAcross(AllocaInst *Variable) const {
    bool Inside = false, Outside = false;
    SmallSetVector<Instruction *, 8> Addresses;
    Addresses.insert(Variable);
    for (unsigned I = 0; I != Addresses.size(); ++I)
      for (User *U : Addresses[I]->users()) {
        auto *Use = cast<Instruction>(U);
        // A life must not be longer than an iteration, either.
        if (isa<GetElementPtrInst>(Use))
          Addresses.insert(Use);
        else
          (Inner.contains(Use) ? Inside : Outside) = true;
      }
    return Inside && Outside;
  }

  bool iterationsStayApart() {
    LoopBlocksRPO Order(&Inner);
    Order.perform(&LI);
    Own.Blocks.assign(Order.begin(), Order.end());
    copy_if(T.Remote, std::back_inserter(Own.Remote),
            [&](Instruction *I) { return Inner.contains(I); });
    copy_if(T.UnmarkedObjects, std::back_inserter(Own.UnmarkedObjects),
            [&](const auto &Pair) { return Inner.contains(Pair.first); });
    Own.PrivateMemory = T.PrivateMemory;
    Own.BeginsInOrder = false;
    // Others are distinct in iterations of the marked loop, not of this one.
    Own.Promised = Own.Lossy = T.Lossy;
    if (Own.Remote.empty())
      return refuse("it has no remote accesses",
                    Inner.getHeader()->getTerminator());
    if (!analyzeShape(Own, No) || !classifyCarriedValues(Own, AA, No) ||
        !checkMemoryDependences(Own, SE, No) ||
        !findRemoteUpdates(Own, SE, /*Requests=*/true, No))
      return false;
    if (!Own.LaunchLoads.empty())
      return refuse("its remote data decide about its next iteration",
                    Own.LaunchLoads.front());
    return true;
  }

  bool isSharedAround(const Instruction *I) const {
    return any_of(T.Shared, [&](const SharedUpdate &S) {
      return S.Chain.contains(const_cast<Instruction *>(I));
    });
  }

  bool isCounter(PHINode &Phi) const {
    auto *Recurrence = SE.isSCEVable(Phi.getType())
                           ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi))
                           : nullptr;
    if (!Recurrence || Recurrence->getLoop() != &Inner ||
        !Recurrence->isAffine())
      return false;
    const SCEV *Step =
        inTermsOfCounters(Recurrence->getStepRecurrence(SE), *T.L, SE);
    SCEVExpander Expander(SE, T.Header->getModule()->getDataLayout(), "step");
    return Step && Expander.isSafeToExpandAt(
                       Step, Inner.getLoopPreheader()->getTerminator());
  }

  bool addReduction(PHINode &Phi) {
    auto S = find_if(Own.Shared, [&](const SharedUpdate &Shared) {
      return Shared.Phi == &Phi;
    });
    auto *Ty = dyn_cast<IntegerType>(Phi.getType());
    if (S == Own.Shared.end() || !Ty || Ty->getBitWidth() > 64)
      return false;
    // A part of the iterations knows a part of the sum only.
    if (any_of(Own.SharedStores, [&](StoreInst *Store) {
          auto *Sum = dyn_cast<Instruction>(Store->getValueOperand());
          return Sum && S->Chain.contains(Sum);
        }))
      return false;
    Instruction *Update = S->Updates.front();
    NestedReduction R = {&Phi, 0, Intrinsic::not_intrinsic, nullptr,
                         S->Updates};
    if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(Update)) {
      R.Intrinsic = MinMax->getIntrinsicID();
      R.Identity = ConstantInt::get(
          Ty, MinMaxIntrinsic::getSaturationPoint(
                  getInverseMinMaxIntrinsic(R.Intrinsic), Ty->getBitWidth()));
    } else {
      auto *Binary = cast<BinaryOperator>(Update);
      for (Value *Old : Binary->operands())
        if (auto *I = dyn_cast<Instruction>(Old); I && S->Chain.contains(I))
          R.Opcode = commutativeOpcode(*Binary, I);
      if (!R.Opcode)
        return false;
      R.Identity = ConstantExpr::getBinOpIdentity(R.Opcode, Ty);
    }
    Found.Reductions.push_back(R);
    return true;
  }

  bool findReductions() {
    Found.Header = Inner.getHeader();
    for (PHINode &Phi : Found.Header->phis())
      if (!isSharedAround(&Phi) && !isCounter(Phi) && !addReduction(Phi))
        return refuse("a value that one of its iterations hands to the next is "
                      "no counter and no sum",
                      Phi.getIncomingValueForBlock(Inner.getLoopLatch()) == &Phi
                          ? Found.Header->getTerminator()
                          : dyn_cast<Instruction>(Phi.getIncomingValueForBlock(
                                Inner.getLoopLatch())));
    return true;
  }

  /// What a part of the iterations computes is lost, but for sums.
  bool leavesNothingElse() {
    for (BasicBlock *BB : Own.Blocks)
      for (Instruction &I : *BB)
        for (const Use &U : I.uses()) {
          auto *User = cast<Instruction>(U.getUser());
          if (Inner.contains(User) || isSharedAround(&I))
            continue;
          bool IsSum = any_of(Found.Reductions, [&](const NestedReduction &R) {
            return R.Phi->getIncomingValueForBlock(Inner.getLoopLatch()) == &I;
          });
          if (!IsSum)
            return refuse("a value that it computes is used behind it", &I);
        }
    T.Nested = Found;
    for (const RemoteUpdate &U : Own.Updates)
      if (none_of(T.Updates, [&](const RemoteUpdate &Other) {
            return Other.First == U.First;
          }))
        T.Updates.push_back(U);
    // Here all are exclusive.
    Own.Updates = T.Updates;
    return true;
  }
};

} // namespace

bool asyncmem::findNestedLoop(TaskLoop &T, TaskLoop &Inner,
                              const NestedAnalyses &Analyses, Refusal &No) {
  return NestedFinder(T, Inner, Analyses, No).find();
}
