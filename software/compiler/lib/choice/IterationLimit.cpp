// SPDX-License-Identifier: Apache-2.0

#include "choice/IterationLimit.h"
#include "choice/AdaptInterface.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// "Next compared with a bound", Next being Phi + Step.
struct CountedEnd {
  PHINode *Phi;
  Value *Next;
  uint64_t Step;
  CmpInst::Predicate Predicate;
  Value *Bound;
};

/// Steps that, times any budget, do not leave 64 bits.
constexpr unsigned MaxStepBits = 63 - ADAPT_BUDGET_BITS;

std::optional<CountedEnd> findCountedEnd(const TaskLoop &T) {
  auto *Compare = dyn_cast_or_null<ICmpInst>(T.ContinueCondition);
  if (!Compare)
    return std::nullopt;
  for (PHINode *Phi : T.Sequential)
    for (unsigned Side : {0, 1}) {
      auto *Next = dyn_cast<BinaryOperator>(Compare->getOperand(Side));
      Value *Bound = Compare->getOperand(1 - Side);
      if (!Next || Next != Phi->getIncomingValueForBlock(T.Latch) ||
          Next->getOpcode() != Instruction::Add || Next->getOperand(0) != Phi ||
          !T.L->isLoopInvariant(Bound))
        continue;
      auto *Step = dyn_cast<ConstantInt>(Next->getOperand(1));
      if (!Step || Step->getBitWidth() > 64 ||
          !Step->getValue().isStrictlyPositive() ||
          Step->getValue().getActiveBits() > MaxStepBits)
        continue;
      CmpInst::Predicate Predicate =
          Side ? Compare->getSwappedPredicate() : Compare->getPredicate();
      if (!T.ContinueOnTrue)
        Predicate = CmpInst::getInversePredicate(Predicate);
      if (Predicate == CmpInst::ICMP_NE || Predicate == CmpInst::ICMP_ULT ||
          Predicate == CmpInst::ICMP_SLT)
        return CountedEnd{Phi, Next, Step->getZExtValue(), Predicate, Bound};
    }
  return std::nullopt;
}

/// The bound comes nearer: nothing changes in an iteration.
class BoundLimit : public IterationLimit {
public:
  BoundLimit(TaskLoop &T, const CountedEnd &End)
      : IterationLimit(T), End(End) {}

  /// With the value v of the phi and the true bound b: if v is before b, the
  /// smaller of b - v and Budget * Step is added to v. Where v is not, the first
  /// iteration of a loop that ends with its condition runs, and b decides.
  void apply(IRBuilderBase &B, Value *Budget,
             function_ref<Value *(PHINode *)> Now) override {
    Type *I64 = B.getInt64Ty();
    First = Now(End.Phi);
    Value *Distance = B.CreateZExt(B.CreateSub(End.Bound, First), I64);
    Value *Most = B.CreateMul(Budget, B.getInt64(End.Step));
    Value *Nearer = B.CreateAnd(B.CreateICmp(End.Predicate, First, End.Bound),
                                B.CreateICmpUGT(Distance, Most));
    Value *Limit = B.CreateSelect(
        Nearer, B.CreateAdd(First, B.CreateTrunc(Most, First->getType())),
        End.Bound, "adapt.limit");
    Left = B.CreateSelect(Nearer, B.CreateSub(Distance, Most), B.getInt64(0));

    redirectLatch();
    Instruction *Branch = T.Latch->getTerminator();
    auto *Old = cast<Instruction>(T.ContinueCondition);
    IRBuilder<> AtLatch(Branch);
    CmpInst::Predicate Predicate =
        T.ContinueOnTrue ? End.Predicate
                         : CmpInst::getInversePredicate(End.Predicate);
    T.ContinueCondition = AtLatch.CreateICmp(Predicate, End.Next, Limit);
    T.Slice.insert(cast<Instruction>(T.ContinueCondition));
    cast<BranchInst>(Branch)->setCondition(T.ContinueCondition);
    if (Old->use_empty()) {
      T.Slice.erase(Old);
      Old->eraseFromParent();
    }
  }

  Value *finish(BasicBlock *Next,
                function_ref<Value *(PHINode *)> After) override {
    IRBuilder<> B(ChunkEnd);
    Value *Reached = After(End.Phi);
    B.CreateCondBr(B.CreateICmp(End.Predicate, Reached, End.Bound), Next,
                   LastExit);
    B.SetInsertPoint(ChunkEnd->getTerminator());
    return B.CreateUDiv(
        B.CreateZExt(B.CreateSub(Reached, First), B.getInt64Ty()),
        B.getInt64(End.Step));
  }

  Value *iterationsAtExit(BasicBlock *) override {
    llvm_unreachable("the latch alone leaves a counted loop");
  }

  std::optional<Rest> rest() const override {
    return Rest{Left, End.Bound, End.Step};
  }

private:
  CountedEnd End;
  Value *First = nullptr, *Left = nullptr;
};

/// A counter beside the loop's own end condition.
class CounterLimit : public IterationLimit {
public:
  explicit CounterLimit(TaskLoop &T) : IterationLimit(T) {}

  void apply(IRBuilderBase &B, Value *Start,
             function_ref<Value *(PHINode *)>) override {
    Type *I64 = B.getInt64Ty();
    Budget = Start;
    auto *Old = cast<BranchInst>(T.Latch->getTerminator());
    redirectLatch();
    Left = PHINode::Create(I64, 2, "adapt.left", &T.Header->front());
    Left->addIncoming(Budget, T.Preheader);
    IRBuilder<> AtLatch(Old);
    auto Add = [&](Value *V) {
      T.Slice.insert(cast<Instruction>(V));
      return V;
    };
    Next = Add(AtLatch.CreateSub(Left, B.getInt64(1)));
    Left->addIncoming(Next, T.Latch);
    T.Sequential.push_back(Left);
    Value *Go = Add(AtLatch.CreateICmpNE(Next, B.getInt64(0)));
    if (Old->isConditional()) {
      Continue = Old->getCondition();
      if (Old->getSuccessor(0) != T.Header)
        Continue = Add(AtLatch.CreateXor(Continue, AtLatch.getTrue()));
      Go = Add(BinaryOperator::CreateAnd(Continue, Go, "adapt.go", Old));
    }
    auto *New =
        cast<BranchInst>(Add(AtLatch.CreateCondBr(Go, T.Header, ChunkEnd)));
    New->copyMetadata(*Old);
    New->setMetadata(LLVMContext::MD_prof, nullptr);
    T.Slice.erase(Old);
    Old->eraseFromParent();
    if (T.leavesAtLatch()) {
      T.ContinueCondition = Go;
      T.ContinueOnTrue = true;
    }
  }

  Value *finish(BasicBlock *Again, function_ref<Value *(PHINode *)>) override {
    IRBuilder<> B(ChunkEnd, ChunkEnd->begin());
    PHINode *After = atEnd(B, Next);
    PHINode *More = Continue ? atEnd(B, Continue) : nullptr;
    B.SetInsertPoint(ChunkEnd);
    Value *Iterations = B.CreateSub(Budget, After);
    if (More)
      B.CreateCondBr(More, Again, LastExit);
    else
      B.CreateBr(Again);
    return Iterations;
  }

  Value *iterationsAtExit(BasicBlock *Exit) override {
    IRBuilder<> B(Exit, Exit->begin());
    PHINode *At = B.CreatePHI(B.getInt64Ty(), 3);
    for (BasicBlock *From : predecessors(Exit))
      At->addIncoming(Left, From);
    B.SetInsertPoint(Exit->getTerminator());
    return B.CreateSub(Budget, At);
  }

  PHINode *counter() const override { return Left; }

private:
  Value *Budget = nullptr;
  /// Iterations that may still run, with this one and without it.
  PHINode *Left = nullptr;
  Value *Next = nullptr;
  /// The loop's own condition, if its latch has one.
  Value *Continue = nullptr;

  PHINode *atEnd(IRBuilderBase &B, Value *V) {
    PHINode *Phi = B.CreatePHI(V->getType(), 3);
    Phi->addIncoming(V, T.Latch);
    return Phi;
  }
};

} // namespace

void IterationLimit::redirectLatch() {
  Function *F = T.Header->getParent();
  LLVMContext &Context = F->getContext();
  ChunkEnd = BasicBlock::Create(Context, "adapt.chunk.end", F, T.Header);
  ExitEdge *Exit =
      find_if(T.Exits, [&](const ExitEdge &E) { return E.From == T.Latch; });
  if (Exit == T.Exits.end()) {
    T.Exits.push_back({T.Latch, ChunkEnd});
    return;
  }
  BasicBlock *Old = Exit->To;
  LastExit = BasicBlock::Create(Context, "adapt.last", F, T.Header);
  BranchInst::Create(Old, LastExit);
  for (PHINode &Phi : Old->phis()) {
    PHINode *Value =
        PHINode::Create(Phi.getType(), 3, Phi.getName() + ".last", ChunkEnd);
    Value->addIncoming(Phi.getIncomingValueForBlock(T.Latch), T.Latch);
    Phi.removeIncomingValue(T.Latch, /*DeletePHIIfEmpty=*/false);
    Phi.addIncoming(Value, LastExit);
  }
  T.Latch->getTerminator()->replaceSuccessorWith(Old, ChunkEnd);
  Exit->To = ChunkEnd;
}

std::unique_ptr<IterationLimit> IterationLimit::create(TaskLoop &T) {
  if (!isa<BranchInst>(T.Latch->getTerminator()))
    return nullptr;
  if (std::optional<CountedEnd> End = findCountedEnd(T))
    return std::make_unique<BoundLimit>(T, *End);
  return std::make_unique<CounterLimit>(T);
}
