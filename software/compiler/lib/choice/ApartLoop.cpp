// SPDX-License-Identifier: Apache-2.0

#include "choice/ApartLoop.h"
#include "analysis/Shape.h"
#include "choice/AdaptInterface.h"
#include "choice/ChunkedLoop.h"
#include "choice/FirstRuns.h"
#include "choice/LimitedUnroll.h"
#include "choice/PolicyCode.h"
#include "common/BlockCopies.h"
#include "common/Target.h"
#include "frontend/Clauses.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

/// What computing the number of iterations may cost, in instructions.
static constexpr unsigned FewInstructions = 8;

/// \returns how often \p L repeats at most, null if that is not known in front of it.
static const SCEV *repeatsOf(Loop &L, ScalarEvolution &SE,
                             const TargetTransformInfo &TTI) {
  Function &F = *L.getHeader()->getParent();
  const SCEV *Repeats = SE.getSymbolicMaxBackedgeTakenCount(&L);
  Instruction *Place = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "adapt");
  if (isa<SCEVCouldNotCompute>(Repeats) ||
      SE.getTypeSizeInBits(Repeats->getType()) > 64 ||
      !Expander.isSafeToExpandAt(Repeats, Place) ||
      Expander.isHighCostExpansion(Repeats, &L, FewInstructions, &TTI, Place))
    return nullptr;
  return Repeats;
}

/// \returns whether the iterations of \p T that are left can be handed to a function.
static bool canGoOn(TaskLoop &T) {
  return IterationLimit::create(T) &&
         all_of(T.Header->phis(), [&](PHINode &Phi) {
           Value *Start = Phi.getIncomingValueForBlock(T.Preheader);
           return !Start->getType()->isPointerTy() ||
                  !isa<AllocaInst>(getUnderlyingObject(Start, 0));
         });
}

std::unique_ptr<ApartLoop>
ApartLoop::create(Loop &L, FunctionAnalysisManager &FAM, bool HasTrial) {
  TaskLoop Plain;
  Plain.L = &L;
  Plain.Blocks.assign(L.block_begin(), L.block_end());
  Refusal No;
  if (!analyzeShape(Plain, No) ||
      any_of(Plain.Exits, [](const ExitEdge &E) { return E.To->isEHPad(); }) ||
      any_of(L.blocks(), [](const BasicBlock *BB) {
        return any_of(*BB, needsItsFunction);
      }))
    return nullptr;
  for (PHINode &Phi : Plain.Header->phis())
    Plain.Sequential.push_back(&Phi);
  Function &F = *L.getHeader()->getParent();
  auto SE = std::make_unique<ScalarEvolution>(
      F, FAM.getResult<TargetLibraryAnalysis>(F),
      FAM.getResult<AssumptionAnalysis>(F),
      FAM.getResult<DominatorTreeAnalysis>(F), FAM.getResult<LoopAnalysis>(F));
  const SCEV *Repeats = repeatsOf(L, *SE, FAM.getResult<TargetIRAnalysis>(F));
  if (!Repeats && !canGoOn(Plain))
    return nullptr;
  return std::unique_ptr<ApartLoop>(
      new ApartLoop(std::move(Plain), std::move(SE), Repeats, FAM, HasTrial));
}

static void swapNames(Function &One, Function &Other) {
  std::string Name = One.getName().str();
  One.takeName(&Other);
  Other.setName(Name);
}

ApartLoop::ApartLoop(TaskLoop Loop, std::unique_ptr<ScalarEvolution> OwnSE,
                     const SCEV *Repeats, FunctionAnalysisManager &FAM,
                     bool HasTrial)
    : FAM(FAM), F(*Loop.Header->getParent()), Plain(std::move(Loop)),
      SE(std::move(OwnSE)), Repeats(Repeats),
      HasFirstRuns(HasTrial && Repeats && canGoOn(Plain) &&
                   FirstRuns::canTime(Plain)),
      State(Plain), Copy(copyOf(F, Map)) {
  // Remarks on the copy bear the name of the original.
  swapNames(F, Copy);
  BasicBlock *Before = twin(Plain.Preheader);
  Entry = SplitBlock(Before, Before->getTerminator());
  Entry->setName("adapt.apart");
  End = BasicBlock::Create(Copy.getContext(), "adapt.apart.end", &Copy);
  Type *Result = Copy.getReturnType();
  ReturnInst::Create(Copy.getContext(),
                     Result->isVoidTy() ? nullptr : PoisonValue::get(Result),
                     End);
  closeExits();
  if (!Repeats || HasFirstRuns)
    hideStarts(*Before);
}

/// \returns what \p Phi of \p L grows by in each iteration, if it does so evenly.
static const SCEVConstant *evenStepOf(PHINode &Phi, const Loop &L,
                                      ScalarEvolution &SE) {
  if (!SE.isSCEVable(Phi.getType()))
    return nullptr;
  auto *Growing = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
  return Growing && Growing->getLoop() == &L && Growing->isAffine()
             ? dyn_cast<SCEVConstant>(Growing->getStepRecurrence(SE))
             : nullptr;
}

/// Iterations that are left may start with other values than the first one, but with
/// pointers into the same objects. What reads them here never runs. Where a loop knows
/// its end what grows evenly starts as far on as iterations ran before.
void ApartLoop::hideStarts(BasicBlock &Before) {
  IRBuilder<> B(Before.getTerminator());
  auto Hidden = [&](Type *T) {
    return B.CreateLoad(T, ConstantPointerNull::get(B.getPtrTy()),
                        /*isVolatile=*/true, "adapt.start");
  };
  Instruction *Done = nullptr;
  auto Further = [&](Value *Start, const SCEVConstant *Step) -> Value * {
    if (!Done)
      Done = Hidden(B.getInt64Ty());
    Value *Distance = B.CreateMul(B.CreateZExtOrTrunc(Done, Step->getType()),
                                  Step->getValue());
    return Start->getType()->isPointerTy()
               ? B.CreateGEP(B.getInt8Ty(), Start, Distance)
               : B.CreateAdd(Start, Distance);
  };
  for (PHINode &Phi : Plain.Header->phis()) {
    auto *Twin = cast<PHINode>(Map.lookup(&Phi));
    Value *Start = Twin->getIncomingValueForBlock(Entry);
    if (const SCEVConstant *Step =
            Repeats ? evenStepOf(Phi, *Plain.L, *SE) : nullptr) {
      Twin->setIncomingValueForBlock(Entry, Further(Start, Step));
      continue;
    }
    Instruction *Other =
        Start->getType()->isPointerTy()
            ? cast<Instruction>(
                  B.Insert(GetElementPtrInst::Create(B.getInt8Ty(), Start,
                                                     Hidden(B.getInt64Ty())),
                           "adapt.start"))
            : Hidden(Start->getType());
    Twin->setIncomingValueForBlock(Entry, Other);
    Starts.push_back({&Phi, Other, nullptr});
  }
  if (Done)
    Starts.push_back({nullptr, Done, nullptr});
}

Value *ApartLoop::startOf(const StartValue &S) const {
  if (!S.Phi)
    return ConstantInt::get(Type::getInt64Ty(F.getContext()), 0);
  return S.Phi->getIncomingValueForBlock(Plain.Preheader);
}

/// The call in \p Apart gets a start from \p AtFirst, or \p Then it from \p Over.
void ApartLoop::handOver(BasicBlock *Apart, BasicBlock *AtFirst,
                         BasicBlock *Over,
                         function_ref<Value *(const StartValue &)> Then) {
  IRBuilder<> B(Apart, Apart->begin());
  for (const StartValue &S : Starts) {
    PHINode *Now = B.CreatePHI(S.StandIn->getType(), 2,
                               (S.Phi ? S.Phi->getName() : "done") + ".now");
    Now->addIncoming(S.StandIn->getOperand(0), AtFirst);
    Now->addIncoming(Then(S), Over);
    S.StandIn->replaceUsesWithIf(Now, [&](const Use &U) {
      return cast<Instruction>(U.getUser())->getParent() == Apart;
    });
  }
}

ApartLoop::~ApartLoop() {
  swapNames(F, Copy);
  FAM.clear(Copy, Copy.getName());
  Map.clear();
  Copy.eraseFromParent();
}

/// \returns false if the loop has one way out, and leaves no more than one value.
bool ApartLoop::needsRecord() const {
  ArrayRef<BasicBlock *> Exits = State.exits();
  return Exits.size() > 1 || range_size(Exits.front()->phis()) > 1 ||
         any_of(Exits.front()->phis(), [](const PHINode &Phi) {
           return !Phi.getType()->isSingleValueType();
         });
}

/// The copy's loop writes the record where it is left. What follows in the copy stays
/// for the analyses of the loop. Nothing in between needs the record: it shall take no
/// register.
void ApartLoop::closeExits() {
  Record = State.create(Copy);
  IRBuilder<> B(Record->getNextNode());
  Place = B.CreateAlloca(B.getPtrTy(), nullptr, "adapt.record");
  B.SetInsertPoint(Entry->getTerminator());
  B.CreateStore(Record, Place, /*isVolatile=*/true);
  for (auto [Index, Exit] : enumerate(State.exits())) {
    BasicBlock *Twin = twin(Exit);
    BasicBlock *Rest = SplitBlock(Twin, Twin->getFirstNonPHI());
    B.SetInsertPoint(Twin->getTerminator());
    Value *Out = B.CreateLoad(B.getPtrTy(), Place, /*isVolatile=*/true);
    if (State.exits().size() > 1)
      State.store(B, Out, LoopState::Exit, B.getInt64(Index));
    for (PHINode &Phi : Exit->phis()) {
      State.store(B, Out, &Phi, Map.lookup(&Phi));
      Last = cast<StoreInst>(std::prev(B.GetInsertPoint()));
    }
    B.CreateCondBr(B.CreateIsNotNull(Out), End, Rest);
    Twin->getTerminator()->eraseFromParent();
  }
}

/// Takes this run's iterations from those that the record \p Loop has left for the loop
/// itself, else goes to \p Apart. Where it may end sooner it takes a run.
void ApartLoop::startHeld(GlobalVariable *Loop, BasicBlock *Apart) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  const bool IsExact = Plain.Exits.size() == 1;
  if (IsExact)
    addLoopTrait(Loop, ADAPT_TAKES_ITERATIONS);
  BasicBlock *Start = Plain.Preheader;
  BasicBlock *Held = SplitBlock(Start, Start->getTerminator(), &DT, &LI);
  Held->setName("adapt.held");
  SCEVExpander Expander(*SE, F.getParent()->getDataLayout(), "adapt");
  Value *Most = Expander.expandCodeFor(Repeats, nullptr,
                                       Start->getTerminator()->getIterator());
  IRBuilder<> B(Start->getTerminator());
  Most = B.CreateZExt(Most, B.getInt64Ty());
  auto Choose = [&](Value *IsHeld) {
    // On NH-G the way without a jump is that of the first runs, which wait for code.
    MDBuilder Weights(F.getContext());
    B.CreateCondBr(IsHeld, Held, Apart,
                   Target(*F.getParent()).mayHaveAmu()
                       ? Weights.createBranchWeights(1, 3)
                       : Weights.createBranchWeights(3, 1));
    Start->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Held->getTerminator());
  };
  if (!IsExact) {
    Value *Left = loadLoopWord(B, Loop, ADAPT_PLAIN_LEFT);
    Value *May = B.CreateSelect(B.CreateIsNull(Left), Left,
                                loadLoopWord(B, Loop, ADAPT_HELD_ITERATIONS));
    Choose(B.CreateICmpULT(Most, May));
    return takeHeldRun(B, Loop, Left);
  }
  GlobalAlias *Left = nameLoopWord(Loop, ADAPT_PLAIN_LEFT);
  // What is left is less than half of all numbers; no run of more has an end.
  Value *Rest =
      B.CreateSub(loadWord(B, Left), B.CreateAdd(Most, B.getInt64(1)));
  Choose(B.CreateICmpSGE(Rest, B.getInt64(0)));
  storeWord(B, Left, Rest);
  Plain.Preheader = Held;
  if (HasFirstRuns)
    startFirst(Loop, Start, Apart);
}

/// Where the policy was never asked about the loop with the record \p Loop \p Start leads
/// to its first pieces instead of \p Apart, and what they do not run to a copy of that.
void ApartLoop::startFirst(GlobalVariable *Loop, BasicBlock *Start,
                           BasicBlock *Apart) {
  auto *Ask = BasicBlock::Create(F.getContext(), "adapt.ask", &F, Apart);
  auto *First = BasicBlock::Create(F.getContext(), "adapt.first", &F, Apart);
  BasicBlock *Held = Plain.Preheader;
  Start->getTerminator()->replaceSuccessorWith(Apart, Ask);
  IRBuilder<> B(Ask);
  // The first run is on the path without a jump, which the core fetches while the
  // record comes from memory.
  B.CreateCondBr(B.CreateIsNull(loadLoopWord(B, Loop, ADAPT_TARGET)), First,
                 Apart, MDBuilder(F.getContext()).createBranchWeights(3, 1));
  BranchInst::Create(Plain.Header, First);
  for (PHINode &Phi : Plain.Header->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Held), First);
  ValueToValueMapTy Map;
  BasicBlock *Rest = copyBlocks({Apart}, Map, "rest").front();
  joinBehindCopies({Apart}, Map);
  FirstRuns Pieces(Plain, Loop, Held, First, Rest);
  handOver(Rest, First, Pieces.over(), [&](const StartValue &S) {
    return S.Phi ? Pieces.after(S.Phi) : Pieces.done();
  });
  Pieces.finish(Copy.getName() + ".first");
}

/// Asks the record \p Loop whether the loop runs itself, else goes to \p Apart, and so
/// it does where it takes longer than the record says. \returns whether iterations ask
/// for that beside their own end.
bool ApartLoop::startLimited(GlobalVariable *Loop, BasicBlock *Apart) {
  BasicBlock *Start = Plain.Preheader;
  BasicBlock *Held = SplitBlock(Start, Start->getTerminator());
  Held->setName("adapt.held");
  auto *Over = BasicBlock::Create(F.getContext(), "adapt.over", &F, Apart);
  IRBuilder<> B(Start->getTerminator());
  Value *Runs =
      branchIfHeld(B, Loop, Held, Apart,
                   MDBuilder(F.getContext()).createBranchWeights(1, 3));
  Start->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Held->getTerminator());
  takeHeldRun(B, Loop, Runs);
  Value *Budget = wholeLimit(
      B, loadHeldIterations(B, Loop, /*AtLeast=*/IterationsBetweenLimits));
  Plain.Preheader = Held;
  std::unique_ptr<IterationLimit> Limit =
      IterationLimit::createWithoutCount(Plain);
  ChunkedLoop Chunks(Plain, *Limit, B, Budget, [&](PHINode *Phi) {
    return Phi->getIncomingValueForBlock(Held);
  });
  Chunks.finish(Over);
  B.SetInsertPoint(Over);
  storeLoopWord(B, Loop, ADAPT_PLAIN_LEFT, B.getInt64(0));
  B.CreateBr(Apart);
  handOver(Apart, Start, Over,
           [&](const StartValue &S) { return Chunks.after(S.Phi); });
  Limit->splitLatch(Plain.Latch);
  return Limit->addsBranch();
}

/// Goes on where the loop was left, with what it has left behind in \p Own, or
/// returned by \p Call.
void ApartLoop::leave(IRBuilderBase &B, AllocaInst *Own, CallInst *Call) {
  SwitchInst *Out = nullptr;
  if (State.exits().size() > 1) {
    Value *Taken = State.load(B, Own, LoopState::Exit);
    Out = B.CreateSwitch(Taken, nullptr, State.exits().size() - 1);
  }
  for (auto [Index, Exit] : enumerate(State.exits())) {
    BasicBlock *Leave = B.GetInsertBlock();
    if (Out) {
      Leave =
          BasicBlock::Create(F.getContext(), "adapt.leave", &F, Plain.Header);
      if (Index == 0)
        Out->setDefaultDest(Leave);
      else
        Out->addCase(B.getInt64(Index), Leave);
      B.SetInsertPoint(Leave);
    }
    for (PHINode &Phi : Exit->phis())
      Phi.addIncoming(needsRecord() ? State.load(B, Own, &Phi) : Call, Leave);
    B.CreateBr(Exit);
  }
}

static void eraseWithUsers(Instruction &I) {
  for (User *U : make_early_inc_range(I.users()))
    eraseWithUsers(*cast<Instruction>(U));
  I.eraseFromParent();
}

Function *ApartLoop::finish(GlobalVariable *Loop) {
  for (BasicBlock *Leaving : make_early_inc_range(predecessors(End)))
    ReplaceInstWithInst(Leaving->getTerminator(), BranchInst::Create(End));
  Value *Result = nullptr;
  if (!needsRecord()) {
    Result = Last ? Last->getValueOperand() : nullptr;
    eraseWithUsers(*Place);
  }
  for (StartValue &S : Starts) {
    S.StandIn =
        new FreezeInst(startOf(S), "", Plain.Preheader->getTerminator());
    if (S.Hidden)
      Map[S.StandIn] = S.Hidden;
  }
  Outline Part(Entry, End, Record, Map);
  Function *Code = Part.extract(Result);
  if (!Code) {
    for (StartValue &S : Starts)
      S.StandIn->eraseFromParent();
    return nullptr;
  }
  Code->setName(Copy.getName() + ".tasks");
  Code->setAlignment(Align(LineBytes));
  // Near the loop, and in front of the policy, whose lines begin where it ends.
  Code->removeFromParent();
  F.getParent()->getFunctionList().insertAfter(F.getIterator(), Code);
  AllocaInst *Own = State.create(F);
  SmallVector<Value *, 8> Arguments = Part.arguments(Own);
  promoteVariables(*Code, FAM);
  keepInRegisters(*Code, Arguments, *End);
  // What is left in them would hold physical registers in runs of the loop itself.
  IRBuilder<> AtEnd(End->getTerminator());
  Target(*F.getParent()).clearDeadRegisters(AtEnd);
  const VariableCopies Copies(Arguments, Own);
  auto *Apart =
      BasicBlock::Create(F.getContext(), "adapt.apart", &F, Plain.Header);
  if (!Loop)
    Plain.Preheader->getTerminator()->replaceSuccessorWith(Plain.Header, Apart);
  IRBuilder<> B(Apart);
  Copies.fill(B);
  CallInst *Call = B.CreateCall(Code, Arguments);
  Call->setDebugLoc(placeOfCall(*Plain.Header));
  Copies.readBack(B);
  leave(B, Own, Call);
  if (Loop && Repeats)
    startHeld(Loop, Apart);
  bool HasTwoEnds = Loop && !Repeats && startLimited(Loop, Apart);
  for (StartValue &S : Starts) {
    S.StandIn->replaceAllUsesWith(S.StandIn->getOperand(0));
    S.StandIn->eraseFromParent();
  }
  if (!Loop)
    removeUnreachableBlocks(F);
  if (HasTwoEnds)
    unrollLimited(*Plain.Header);
  if (Own->use_empty())
    Own->eraseFromParent();
  return Code;
}
