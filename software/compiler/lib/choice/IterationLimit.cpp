// SPDX-License-Identifier: Apache-2.0

#include "choice/IterationLimit.h"
#include "choice/AdaptInterface.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// "Next compared with a bound", Next being Phi + Step, or the lower bits of that: a
/// narrow counter that the optimizer has widened but for its comparison.
struct CountedEnd {
  PHINode *Phi;
  Value *Next;
  uint64_t Step;
  CmpInst::Predicate Predicate;
  Value *Bound;
  ICmpInst *Compare;
};

/// Steps that, times any budget, do not leave 64 bits.
constexpr unsigned MaxStepBits = 63 - ADAPT_BUDGET_BITS;

std::optional<CountedEnd> findCountedEnd(const TaskLoop &T) {
  auto *Branch = cast<BranchInst>(T.Latch->getTerminator());
  auto *Compare = T.L->isLoopExiting(T.Latch)
                      ? dyn_cast<ICmpInst>(Branch->getCondition())
                      : nullptr;
  if (!Compare)
    return std::nullopt;
  for (PHINode *Phi : T.Sequential)
    for (unsigned Side : {0, 1}) {
      Value *Compared = Compare->getOperand(Side);
      Value *Bound = Compare->getOperand(1 - Side);
      auto *LowBits = dyn_cast<TruncInst>(Compared);
      auto *Next =
          dyn_cast<BinaryOperator>(LowBits ? LowBits->getOperand(0) : Compared);
      if (!Next || Next != Phi->getIncomingValueForBlock(T.Latch) ||
          Next->getOpcode() != Instruction::Add || Next->getOperand(0) != Phi ||
          !T.L->isLoopInvariant(Bound))
        continue;
      auto *Step = dyn_cast<ConstantInt>(Next->getOperand(1));
      if (!Step || Step->getBitWidth() > 64 ||
          !Step->getValue().isStrictlyPositive() ||
          Step->getValue().getActiveBits() > MaxStepBits ||
          Step->getValue().getActiveBits() >=
              Bound->getType()->getIntegerBitWidth())
        continue;
      CmpInst::Predicate Predicate =
          Side ? Compare->getSwappedPredicate() : Compare->getPredicate();
      if (Branch->getSuccessor(0) != T.Header)
        Predicate = CmpInst::getInversePredicate(Predicate);
      if (Predicate == CmpInst::ICMP_NE || Predicate == CmpInst::ICMP_ULT ||
          Predicate == CmpInst::ICMP_SLT)
        return CountedEnd{Phi,       Compared, Step->getZExtValue(),
                          Predicate, Bound,    Compare};
    }
  return std::nullopt;
}

/// \returns a phi of the block \p BB of exits alone for \p V of the loop.
PHINode *atExit(IRBuilderBase &B, BasicBlock *BB, Value *V) {
  B.SetInsertPoint(BB, BB->begin());
  PHINode *Phi = B.CreatePHI(V->getType(), 3);
  for (BasicBlock *From : predecessors(BB))
    Phi->addIncoming(V, From);
  B.SetInsertPoint(BB->getTerminator());
  return Phi;
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
    First = counted(B, Now(End.Phi));
    Value *Distance = B.CreateZExt(B.CreateSub(End.Bound, First), I64);
    Value *Most = B.CreateMul(Budget, B.getInt64(End.Step));
    Value *Nearer = B.CreateAnd(B.CreateICmp(End.Predicate, First, End.Bound),
                                B.CreateICmpUGT(Distance, Most));
    Value *Limit = B.CreateSelect(
        Nearer, B.CreateAdd(First, B.CreateTrunc(Most, First->getType())),
        End.Bound, "adapt.limit");

    redirectLatch();
    auto *Branch = cast<BranchInst>(T.Latch->getTerminator());
    IRBuilder<> AtLatch(Branch);
    CmpInst::Predicate Predicate =
        Branch->getSuccessor(0) == T.Header
            ? End.Predicate
            : CmpInst::getInversePredicate(End.Predicate);
    Value *Condition = AtLatch.CreateICmp(Predicate, End.Next, Limit);
    T.Slice.insert(cast<Instruction>(Condition));
    if (T.leavesAtLatch())
      T.ContinueCondition = Condition;
    Branch->setCondition(Condition);
    if (End.Compare->use_empty()) {
      T.Slice.erase(End.Compare);
      End.Compare->eraseFromParent();
    }
  }

  Value *finish(BasicBlock *Next,
                function_ref<Value *(PHINode *)> After) override {
    IRBuilder<> B(ChunkEnd);
    Value *Reached = counted(B, After(End.Phi));
    B.CreateCondBr(B.CreateICmp(End.Predicate, Reached, End.Bound), Next,
                   LastExit);
    B.SetInsertPoint(ChunkEnd->getTerminator());
    return iterations(B, Reached);
  }

  Value *iterationsAtExit(BasicBlock *Exit) override {
    IRBuilder<> B(Exit->getContext());
    Value *Reached = atExit(B, Exit, End.Phi);
    return iterations(B, counted(B, Reached));
  }

private:
  CountedEnd End;
  Value *First = nullptr;

  /// \returns of the value \p V of the phi what is compared.
  Value *counted(IRBuilderBase &B, Value *V) const {
    return B.CreateTrunc(V, End.Bound->getType());
  }

  Value *iterations(IRBuilderBase &B, Value *Reached) {
    return B.CreateUDiv(
        B.CreateZExt(B.CreateSub(Reached, First), B.getInt64Ty()),
        B.getInt64(End.Step));
  }
};

/// A counter beside the loop's own end condition.
class CounterLimit : public IterationLimit {
public:
  explicit CounterLimit(TaskLoop &T) : IterationLimit(T) {}

  void apply(IRBuilderBase &B, Value *Budget,
             function_ref<Value *(PHINode *)>) override {
    auto *Old = cast<BranchInst>(T.Latch->getTerminator());
    redirectLatch();
    IRBuilder<> AtLatch(Old);
    // Counted up: what has run is asked for behind the loop, too, and needs no second
    // variable then.
    Done = PHINode::Create(B.getInt64Ty(), 2, "adapt.done", &T.Header->front());
    Done->addIncoming(B.getInt64(0), T.Preheader);
    Next = inSlice(AtLatch.CreateAdd(Done, B.getInt64(1)));
    Done->addIncoming(Next, T.Latch);
    T.Sequential.push_back(Done);
    Value *Go = inSlice(AtLatch.CreateICmpNE(Next, Budget));
    if (Old->isConditional()) {
      Continue = Old->getCondition();
      if (Old->getSuccessor(0) != T.Header)
        Continue = inSlice(AtLatch.CreateXor(Continue, AtLatch.getTrue()));
      Go = inSlice(BinaryOperator::CreateAnd(Continue, Go, "adapt.go", Old));
    }
    auto *New =
        cast<BranchInst>(inSlice(AtLatch.CreateCondBr(Go, T.Header, ChunkEnd)));
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
    PHINode *Iterations = atEnd(B, Next);
    PHINode *More = Continue ? atEnd(B, Continue) : nullptr;
    B.SetInsertPoint(ChunkEnd);
    if (More)
      B.CreateCondBr(More, Again, LastExit);
    else
      B.CreateBr(Again);
    return Iterations;
  }

  Value *iterationsAtExit(BasicBlock *Exit) override {
    IRBuilder<> B(Exit->getContext());
    return atExit(B, Exit, Done);
  }

  PHINode *counter() const override { return Done; }

private:
  PHINode *Done = nullptr;
  /// What has run behind the latch.
  Value *Next = nullptr;
  /// The loop's own condition, if its latch has one.
  Value *Continue = nullptr;

  Value *inSlice(Value *V) {
    T.Slice.insert(cast<Instruction>(V));
    return V;
  }

  PHINode *atEnd(IRBuilderBase &B, Value *V) {
    PHINode *AtEnd = B.CreatePHI(V->getType(), 3);
    AtEnd->addIncoming(V, T.Latch);
    return AtEnd;
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

bool IterationLimit::isPossible(const TaskLoop &T) {
  return isa<BranchInst>(T.Latch->getTerminator());
}

std::unique_ptr<IterationLimit> IterationLimit::create(TaskLoop &T) {
  if (!isPossible(T))
    return nullptr;
  if (std::optional<CountedEnd> End = findCountedEnd(T))
    return std::make_unique<BoundLimit>(T, *End);
  return std::make_unique<CounterLimit>(T);
}
