// SPDX-License-Identifier: Apache-2.0

#include "transform/SteppedProducts.h"
#include "common/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace asyncmem;

namespace {

bool hasConstant(const Instruction &I) {
  return any_of(I.operands(),
                [](const Use &Op) { return isa<ConstantInt>(Op); });
}

/// \returns what \p Phi grows by in each iteration, null if that is no constant.
const APInt *constantStepOf(const TaskLoop &T, const PHINode &Phi) {
  auto *Step = dyn_cast_or_null<ConstantInt>(stepOf(T, Phi));
  return Step ? &Step->getValue() : nullptr;
}

/// The sequential value by one that decides where the loop ends.
struct LoopCounter {
  PHINode *Phi;
  Instruction *Next;
  ICmpInst *Compare;

  /// \returns true if \p U counts: the sum, its end, what is behind the loop.
  bool isCounting(const TaskLoop &T, const Use &U) const {
    auto *User = cast<Instruction>(U.getUser());
    auto *Exit = dyn_cast<PHINode>(User);
    return User == Next || User == Phi || User == Compare ||
           (Exit && !T.L->contains(Exit) && U == Next &&
            Exit->getIncomingBlock(U) == T.Latch);
  }
};

std::optional<LoopCounter> counterOf(const TaskLoop &T) {
  auto *Compare = dyn_cast_or_null<ICmpInst>(T.ContinueCondition);
  if (!Compare || !Compare->hasOneUse() || !Compare->isEquality() ||
      (Compare->getPredicate() == CmpInst::ICMP_NE) != T.ContinueOnTrue ||
      !T.L->isLoopInvariant(Compare->getOperand(1)))
    return std::nullopt;
  for (PHINode *Phi : T.Sequential) {
    const APInt *Step = constantStepOf(T, *Phi);
    auto *Next = cast<Instruction>(Phi->getIncomingValueForBlock(T.Latch));
    if (Step && Step->isOne() && Compare->getOperand(0) == Next)
      return LoopCounter{Phi, Next, Compare};
  }
  return std::nullopt;
}

/// \returns what a task does before it first waits, and launch does not need.
SmallPtrSet<const Instruction *, 16> beforeWaits(const TaskLoop &T) {
  SmallPtrSet<const Instruction *, 16> Free;
  for (Instruction &I : *T.Header) {
    if (T.isRemote(&I) || isLock(I))
      break;
    if (!isa<PHINode>(I) && !T.Slice.contains(&I))
      Free.insert(&I);
  }
  return Free;
}

class ProductStepper {
public:
  ProductStepper(TaskLoop &T, ScalarEvolution &SE)
      : T(T), SE(SE),
        Expander(SE, T.Header->getModule()->getDataLayout(), "product"),
        Free(beforeWaits(T)) {}

  void run() {
    std::optional<LoopCounter> Counter = counterOf(T);
    if (!Counter)
      return;
    for (Instruction &I : *T.Header)
      if (I.getOpcode() == Instruction::Mul && hasConstant(I) &&
          Free.contains(&I)) {
        Instruction *Product = sumOf(&I);
        const SCEVAddRecExpr *Rec = evenly(Product);
        if (Rec && replaces(Product, *Counter)) {
          step(Product, Rec);
          return;
        }
      }
  }

private:
  TaskLoop &T;
  ScalarEvolution &SE;
  SCEVExpander Expander;
  const SmallPtrSet<const Instruction *, 16> Free;

  /// \returns \p Product, or what is made of it by adding constants.
  Instruction *sumOf(Instruction *Product) const {
    while (Product->hasOneUse()) {
      auto *Sum = dyn_cast<BinaryOperator>(*Product->user_begin());
      if (!Sum || !Free.contains(Sum) || !hasConstant(*Sum) ||
          (Sum->getOpcode() != Instruction::Add &&
           Sum->getOpcode() != Instruction::Sub))
        break;
      Product = Sum;
    }
    return Product;
  }

  /// \returns true if \p Counter is needed for nothing but \p Product.
  bool replaces(const Instruction *Product, const LoopCounter &Counter) const {
    if (Product->getType() != Counter.Phi->getType())
      return false;
    SmallVector<const Instruction *, 8> Work = {Counter.Phi, Counter.Next};
    SmallPtrSet<const Instruction *, 8> Seen;
    while (!Work.empty())
      for (const Use &U : Work.pop_back_val()->uses()) {
        auto *User = cast<Instruction>(U.getUser());
        if (User == Product || Counter.isCounting(T, U))
          continue;
        if (!Free.contains(User) || User->isTerminator() ||
            User->mayHaveSideEffects())
          return false;
        if (Seen.insert(User).second)
          Work.push_back(User);
      }
    return true;
  }

  /// \returns how \p Product grows if that is by an odd constant in each
  /// iteration and no task needs it after it first waits.
  const SCEVAddRecExpr *evenly(const Instruction *Product) {
    auto *Rec = dyn_cast<SCEVAddRecExpr>(
        SE.getSCEV(const_cast<Instruction *>(Product)));
    if (!Rec || Rec->getLoop() != T.L || !Rec->isAffine() ||
        !Expander.isSafeToExpand(Rec->getStart()))
      return nullptr;
    auto *Step = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE));
    bool AllFree = all_of(Product->users(), [&](const User *U) {
      return Free.contains(cast<Instruction>(U));
    });
    return Step && Step->getAPInt()[0] && AllFree ? Rec : nullptr;
  }

  void step(Instruction *Product, const SCEVAddRecExpr *Rec) {
    Type *Ty = Product->getType();
    auto *Value = PHINode::Create(Ty, 2, "product", &T.Header->front());
    IRBuilder<> B(T.Latch->getTerminator());
    auto *Next = cast<Instruction>(B.CreateAdd(
        Value, cast<SCEVConstant>(Rec->getStepRecurrence(SE))->getValue()));
    Value->addIncoming(Next, T.Latch);
    Value->addIncoming(Expander.expandCodeFor(Rec->getStart(), Ty,
                                              T.Preheader->getTerminator()),
                       T.Preheader);
    T.Sequential.push_back(Value);
    T.Slice.insert(Next);
    Product->replaceAllUsesWith(Value);
    RecursivelyDeleteTriviallyDeadInstructions(Product);
  }
};

} // namespace

void asyncmem::countByProduct(TaskLoop &T) {
  std::optional<LoopCounter> Counter = counterOf(T);
  if (!Counter)
    return;
  auto OnlyCounts = [&](const Use &U) { return Counter->isCounting(T, U); };
  if (!all_of(Counter->Phi->uses(), OnlyCounts) ||
      !all_of(Counter->Next->uses(), OnlyCounts))
    return;
  auto IsProduct = [&](const PHINode *Phi) {
    const APInt *Step = constantStepOf(T, *Phi);
    return Phi != Counter->Phi && Phi->getType() == Counter->Phi->getType() &&
           Step && (*Step)[0];
  };
  auto Found = find_if(T.Sequential, IsProduct);
  if (Found == T.Sequential.end())
    return;
  PHINode *Product = *Found;

  IRBuilder<> Before(T.Preheader->getTerminator());
  Value *Bound = Counter->Compare->getOperand(1);
  Value *Iterations = Before.CreateSub(
      Bound, Counter->Phi->getIncomingValueForBlock(T.Preheader));
  Value *End = Before.CreateAdd(
      Product->getIncomingValueForBlock(T.Preheader),
      Before.CreateMul(Iterations,
                       Before.getInt(*constantStepOf(T, *Product))));
  auto *Next = cast<Instruction>(Product->getIncomingValueForBlock(T.Latch));
  // The last sum was not used: it may have overflowed.
  Next->dropPoisonGeneratingFlags();
  Counter->Compare->setOperand(0, Next);
  Counter->Compare->setOperand(1, End);
  // Its one use; the product may grow behind it.
  Counter->Compare->moveBefore(T.Latch->getTerminator());
  // The loop is left when the counter has come to its end.
  Counter->Next->replaceUsesOutsideBlock(Bound, T.Latch);
  erase(T.Sequential, Counter->Phi);
  T.Slice.erase(Counter->Next);
  Counter->Phi->replaceAllUsesWith(PoisonValue::get(Counter->Phi->getType()));
  Counter->Phi->eraseFromParent();
  Counter->Next->eraseFromParent();
}

void asyncmem::stepProducts(TaskLoop &T, ScalarEvolution &SE) {
  ProductStepper(T, SE).run();
}

void asyncmem::multiplyNext(TaskLoop &T) {
  const SmallPtrSet<const Instruction *, 16> Free = beforeWaits(T);
  for (Instruction &I : make_early_inc_range(*T.Header)) {
    Value *Old;
    const APInt *Factor, *Growth;
    if (!Free.contains(&I) ||
        !match(&I, m_Add(m_OneUse(m_Mul(m_Value(Old), m_APInt(Factor))),
                         m_APInt(Growth))))
      continue;
    auto *Phi = dyn_cast<PHINode>(Old);
    const APInt *Step = Phi && is_contained(T.Sequential, Phi)
                            ? constantStepOf(T, *Phi)
                            : nullptr;
    if (!Step || *Factor * *Step != *Growth)
      continue;
    IRBuilder<> B(&I);
    // Launch has computed the same sum, and needs it later, too: the two become
    // one, and nothing multiplies the sum out again.
    Value *Next = B.CreateAdd(Phi, ConstantInt::get(I.getType(), *Step));
    I.replaceAllUsesWith(
        B.CreateMul(Next, ConstantInt::get(I.getType(), *Factor)));
    RecursivelyDeleteTriviallyDeadInstructions(&I);
  }
}
