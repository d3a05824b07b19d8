// SPDX-License-Identifier: Apache-2.0

#include "choice/RunTimeChoice.h"
#include "choice/AdaptInterface.h"
#include "choice/IterationLimit.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

// The file is what clang made of AdaptPolicy.c.
ASYNCMEM_BITCODE(asyncmem_policy, POLICY_FILE)

static constexpr char StartName[] = "__asyncmem_adapt_start";
static constexpr char NextName[] = "__asyncmem_adapt_next";
static constexpr char EndName[] = "__asyncmem_adapt_end";
static constexpr char InstructionsName[] = "__asyncmem_adapt_instructions";
static constexpr char LinesName[] = "__asyncmem_adapt_lines";
static constexpr char MayUseName[] = "__asyncmem_adapt_may_use";
static constexpr char UseName[] = "__asyncmem_adapt_use";

/// \p Read is the assembler's instruction; without one the function returns
/// \p Otherwise. Its calls are inlined: the pipeline's inliner has run.
static void defineReader(Module &M, StringRef Name, StringRef Read,
                         uint64_t Otherwise) {
  Function *F = M.getFunction(Name);
  // Else it would bring .eh_frame, and with debug information that of all others.
  F->setDoesNotThrow();
  F->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *Result = B.getInt64(Otherwise);
  if (!Read.empty())
    Result = B.CreateCall(
        InlineAsm::get(FunctionType::get(B.getInt64Ty(), false), Read, "=r",
                       /*hasSideEffects=*/true));
  B.CreateRet(Result);
  for (User *Caller : make_early_inc_range(F->users())) {
    InlineFunctionInfo Info;
    [[maybe_unused]] InlineResult Inlined =
        InlineFunction(*cast<CallBase>(Caller), Info);
    assert(Inlined.isSuccess() && "a reader is one instruction");
  }
  F->eraseFromParent();
}

/// Nobody lends the AMU: tasks may always run, and nobody wants to know.
static void forgetLender(Module &M) {
  Function *MayUse = M.getFunction(MayUseName), *Use = M.getFunction(UseName);
  for (User *Caller : make_early_inc_range(Use->users()))
    cast<CallInst>(Caller)->eraseFromParent();
  for (User *Caller : make_early_inc_range(MayUse->users())) {
    auto *Call = cast<CallInst>(Caller);
    BasicBlock *BB = Call->getParent();
    replaceAndRecursivelySimplify(Call, ConstantInt::get(Call->getType(), 1));
    Call->eraseFromParent();
    ConstantFoldTerminator(BB, /*DeleteDeadConditions=*/true);
    removeUnreachableBlocks(*BB->getParent());
  }
  MayUse->eraseFromParent();
  Use->eraseFromParent();
}

/// Functions of a module say what they are compiled for, which counts where that is done
/// at link time. Those of NH-G are all alike; for x86-64 the policy needs nothing.
static void describeTarget(const Module &M, Module &Policy) {
  static constexpr StringLiteral OfOneTarget[] = {
      "target-cpu", "target-features", "tune-cpu"};
  const Function *Model = nullptr;
  if (Target(M).mayHaveAmu())
    for (const Function &F : M)
      if (!F.isDeclaration())
        Model = &F;
  for (Function &F : Policy)
    for (StringRef Kind : OfOneTarget) {
      F.removeFnAttr(Kind);
      if (Model && Model->hasFnAttribute(Kind))
        F.addFnAttr(Model->getFnAttribute(Kind));
    }
}

static void link(Module &M, const PolicyCounters &Counters) {
  linkProgramCode(M, asyncmem_policy(),
                  {StartName, NextName, EndName, InstructionsName, LinesName,
                   MayUseName, UseName},
                  "rename it, or compile with adapt=off",
                  [&](Module &Policy) { describeTarget(M, Policy); });
  for (StringRef Name : {StartName, NextName, EndName})
    M.getFunction(Name)->setLinkage(GlobalValue::InternalLinkage);
  defineReader(M, InstructionsName, Counters.Instructions ? "rdinstret $0" : "",
               0);
  defineReader(M, LinesName,
               Counters.AmuLines ? "csrr $0, " + std::to_string(NHG_CSR_AMUHITS)
                                 : "",
               UINT64_MAX);
  if (!Counters.IsLent)
    forgetLender(M);
}

namespace {

/// void Start(loop, run), Next(loop, run, i64 iterations), End(loop, run, i64 iterations).
struct PolicyCode {
  Function *Start, *Next, *End;
};

} // namespace

/// Gives \p M its copy of the functions, once.
static PolicyCode addPolicyCode(Module &M, const PolicyCounters &Counters) {
  if (!M.getFunction(StartName))
    link(M, Counters);
  return {M.getFunction(StartName), M.getFunction(NextName),
          M.getFunction(EndName)};
}

/// \returns what the policy remembers of a loop with \p Tasks tasks.
static GlobalVariable *createLoopRecord(Module &M, uint64_t Tasks,
                                        uint64_t TurnCycles) {
  uint64_t Words[ADAPT_LOOP_WORDS] = {};
  Words[ADAPT_CHUNK] = 1;
  Words[ADAPT_TASK_COUNT] = Tasks;
  Words[ADAPT_TURN_CYCLES] = TurnCycles;
  if (TurnCycles == 0) {
    Words[ADAPT_TARGET] = uint64_t(1) << (ADAPT_BUDGET_BITS - 1);
    Words[ADAPT_STEP] = ADAPT_FOREVER_TASKS;
  }
  Constant *First = ConstantDataArray::get(M.getContext(), Words);
  auto *Loop =
      new GlobalVariable(M, First->getType(), /*isConstant=*/false,
                         GlobalValue::InternalLinkage, First, "asyncmem.adapt");
  Loop->setAlignment(Align(LineBytes));
  return Loop;
}

static Value *loopWord(IRBuilderBase &B, GlobalVariable *Loop, unsigned Word) {
  return B.CreateConstInBoundsGEP2_64(Loop->getValueType(), Loop, 0, Word);
}

Value *asyncmem::loadLoopWord(IRBuilderBase &B, GlobalVariable *Loop,
                              unsigned Word) {
  LoadInst *V = B.CreateLoad(B.getInt64Ty(), loopWord(B, Loop, Word));
  V->setAtomic(AtomicOrdering::Monotonic);
  return V;
}

void asyncmem::storeLoopWord(IRBuilderBase &B, GlobalVariable *Loop,
                             unsigned Word, Value *V) {
  B.CreateStore(V, loopWord(B, Loop, Word))
      ->setAtomic(AtomicOrdering::Monotonic);
}

/// Removes what takes and gives back the locks of \p Owners in \p Blocks, where
/// no tasks run.
static void forgetOwners(const GlobalVariable *Owners,
                         ArrayRef<BasicBlock *> Blocks) {
  if (!Owners)
    return;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if ((isLock(I) || isUnlock(I)) &&
          getUnderlyingObject(I.getOperand(0)) == Owners)
        I.eraseFromParent();
}

namespace {

class Chooser {
public:
  Chooser(TaskLoop &T, IterationLimit &Limit, PolicyCode Policy,
          GlobalVariable *Loop)
      : T(T), Limit(Limit), F(*T.Header->getParent()), Policy(Policy),
        Loop(Loop),
        Run(createVariable(
            F,
            ArrayType::get(Type::getInt64Ty(F.getContext()), ADAPT_RUN_WORDS),
            "adapt.run")) {}

  void build() {
    Start = newBlock("start");
    Held = newBlock("held");
    Ask = newBlock("ask");
    Control = newBlock("control");
    EnterPlain = newBlock("plain");
    EnterTasks = newBlock("tasks");
    Next = newBlock("next");
    T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Start);
    start();
    control();
    splitExits();
    endChunk();
    clone();
    enter();
  }

private:
  TaskLoop &T;
  IterationLimit &Limit;
  Function &F;
  PolicyCode Policy;
  /// What the policy remembers of the loop, and of one run of it.
  GlobalVariable *Loop;
  AllocaInst *Run;
  BasicBlock *Start, *Held, *Ask, *Control, *EnterPlain, *EnterTasks, *Next;
  /// In Control: the form to run and its iterations.
  PHINode *Form, *Budget;
  /// From the phis of the loop to the values that the next iteration starts with.
  MapVector<PHINode *, PHINode *> Now;
  /// From the loop to its plain copy.
  ValueToValueMapTy Plain;

  template <class T> T *plain(T *V) { return mapped(Plain, V); }

  BasicBlock *newBlock(const Twine &Name) {
    return BasicBlock::Create(F.getContext(), "adapt." + Name, &F, T.Header);
  }

  Value *runWord(IRBuilderBase &B, unsigned Word) {
    return B.CreateConstInBoundsGEP2_64(Run->getAllocatedType(), Run, 0, Word);
  }

  void goTo(IRBuilderBase &B, Value *FormToRun, Value *Iterations) {
    Form->addIncoming(FormToRun, B.GetInsertBlock());
    Budget->addIncoming(Iterations, B.GetInsertBlock());
    B.CreateBr(Control);
  }

  /// Ends the block of \p B, where the policy has answered.
  void follow(IRBuilderBase &B) {
    Value *FormToRun = B.CreateLoad(B.getInt64Ty(), runWord(B, ADAPT_FORM));
    goTo(B, FormToRun, B.CreateLoad(B.getInt64Ty(), runWord(B, ADAPT_BUDGET)));
  }

  void start() {
    IRBuilder<> B(Control);
    Form = B.CreatePHI(B.getInt64Ty(), 3, "form");
    Budget = B.CreatePHI(B.getInt64Ty(), 3, "budget");
    B.SetInsertPoint(Start);
    Value *Runs = loadLoopWord(B, Loop, ADAPT_HELD);
    B.CreateCondBr(B.CreateIsNotNull(Runs), Held, Ask);
    B.SetInsertPoint(Held);
    storeLoopWord(B, Loop, ADAPT_HELD, B.CreateSub(Runs, B.getInt64(1)));
    B.CreateStore(B.getInt64(0), runWord(B, ADAPT_ASKED));
    goTo(B, B.getInt64(ADAPT_PLAIN), loadLoopWord(B, Loop, ADAPT_CHUNK));
    B.SetInsertPoint(Ask);
    B.CreateCall(Policy.Start, {Loop, Run});
    follow(B);
  }

  void control() {
    IRBuilder<> B(Control);
    for (PHINode &Phi : T.Header->phis()) {
      PHINode *Value =
          PHINode::Create(Phi.getType(), 3, Phi.getName() + ".now", Form);
      for (BasicBlock *From : {Held, Ask})
        Value->addIncoming(Phi.getIncomingValueForBlock(T.Preheader), From);
      Now[&Phi] = Value;
    }
    Limit.apply(B, Budget, [&](PHINode *Phi) { return Now.lookup(Phi); });
    B.CreateCondBr(B.CreateICmpEQ(Form, B.getInt64(ADAPT_TASKS)), EnterTasks,
                   EnterPlain);
  }

  /// The run ends behind \p Exit, a block of that way alone.
  void callEnd(BasicBlock *Exit, Value *Iterations) {
    Instruction *Leave = Exit->getTerminator();
    IRBuilder<> B(Leave);
    Value *Asked = B.CreateLoad(B.getInt64Ty(), runWord(B, ADAPT_ASKED));
    B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateIsNotNull(Asked), Leave,
                                               /*Unreachable=*/false));
    B.CreateCall(Policy.End, {Loop, Run, Iterations});
  }

  void splitExits() {
    for (ExitEdge &E : T.Exits)
      if (E.To != Limit.chunkEnd()) {
        BasicBlock *Between = splitExit(T, E, "adapt.exit");
        callEnd(Between, Limit.iterationsAtExit(Between));
      }
  }

  /// At the end of the chunk: is it the loop's?
  void endChunk() {
    BasicBlock *End = Limit.chunkEnd();
    for (auto [Phi, Value] : Now) {
      PHINode *Last =
          PHINode::Create(Phi->getType(), 2, Phi->getName() + ".chunk", End);
      Last->addIncoming(Phi->getIncomingValueForBlock(T.Latch), T.Latch);
      Value->addIncoming(Last, Next);
    }
    Value *Iterations = Limit.finish(Next, [&](PHINode *Phi) {
      return Now.lookup(Phi)->getIncomingValueForBlock(Next);
    });
    IRBuilder<> B(Next);
    B.CreateCall(Policy.Next, {Loop, Run, Iterations});
    follow(B);
    if (BasicBlock *Last = Limit.lastExit())
      callEnd(Last, Iterations);
  }

  /// The copy has its own variables of the body: those of the tasks move into
  /// frames, and so does what was computed from their addresses.
  void cloneAddresses(Instruction *Address, Instruction *New) {
    Plain[Address] = New;
    SmallVector<GetElementPtrInst *, 4> Geps;
    for (User *U : Address->users())
      if (auto *Gep = dyn_cast<GetElementPtrInst>(U))
        if (!is_contained(T.Blocks, Gep->getParent()) &&
            Gep->getPointerOperand() == Address)
          Geps.push_back(Gep);
    for (GetElementPtrInst *Gep : Geps) {
      Instruction *Twin = Gep->clone();
      Twin->setOperand(0, New);
      Twin->insertAfter(Gep);
      cloneAddresses(Gep, Twin);
    }
  }

  void clone() {
    for (AllocaInst *A : T.PrivateMemory) {
      Instruction *Twin = A->clone();
      Twin->insertAfter(A);
      cloneAddresses(A, Twin);
    }
    forgetOwners(T.Owners, copyBlocks(T.Blocks, Plain, "plain"));
    joinBehindCopies(T.Blocks, Plain);
  }

  /// In registers of NH-G code in front of the loop leaves values that nothing uses. Each
  /// keeps one of 64 physical ones, and a cleared one none: the plain loop runs ahead
  /// further.
  void clearDeadRegisters(IRBuilderBase &B) {
    if (!Target(*F.getParent()).mayHaveAmu())
      return;
    // The last ones that loops are given.
    auto *Type = FunctionType::get(B.getVoidTy(), false);
    B.CreateCall(
        InlineAsm::get(Type, "li t3, 0\n\tli t4, 0\n\tli t5, 0\n\tli t6, 0",
                       "~{x28},~{x29},~{x30},~{x31}", /*hasSideEffects=*/true));
  }

  /// Both forms start with the values in Control.
  void enter() {
    IRBuilder<> B(EnterPlain);
    clearDeadRegisters(B);
    B.CreateBr(plain(T.Header));
    BranchInst::Create(T.Header, EnterTasks);
    auto StartWith = [&](PHINode *Phi, Value *V) {
      auto SetIn = [&](PHINode *Twin, BasicBlock *Enter) {
        Twin->setIncomingValueForBlock(T.Preheader, V);
        Twin->replaceIncomingBlockWith(T.Preheader, Enter);
      };
      SetIn(plain(Phi), EnterPlain);
      SetIn(Phi, EnterTasks);
    };
    for (auto [Phi, Value] : Now)
      StartWith(Phi, Value);
    if (PHINode *Counter = Limit.counter())
      StartWith(Counter, ConstantInt::get(Counter->getType(), 0));
    T.Preheader = EnterTasks;
  }
};

} // namespace

bool asyncmem::canChoose(const TaskLoop &T) {
  return IterationLimit::isPossible(T);
}

GlobalVariable *asyncmem::addRunTimeChoice(TaskLoop &T, unsigned Tasks,
                                           uint64_t TurnCycles,
                                           const PolicyCounters &Counters) {
  std::unique_ptr<IterationLimit> Limit = IterationLimit::create(T);
  if (!Limit)
    return nullptr;
  Module &M = *T.Header->getModule();
  PolicyCode Policy = addPolicyCode(M, Counters);
  GlobalVariable *Loop = createLoopRecord(M, Tasks, TurnCycles);
  T.Header->getParent()->removeFnAttr(Attribute::Memory);
  Chooser(T, *Limit, Policy, Loop).build();
  return Loop;
}
