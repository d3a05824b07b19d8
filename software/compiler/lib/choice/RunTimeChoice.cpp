// SPDX-License-Identifier: Apache-2.0

#include "choice/RunTimeChoice.h"
#include "choice/AdaptInterface.h"
#include "choice/ChunkedLoop.h"
#include "choice/IterationLimit.h"
#include "choice/LimitedUnroll.h"
#include "choice/Outline.h"
#include "choice/OutsideValues.h"
#include "choice/PolicyCode.h"
#include "common/BlockCopies.h"
#include "common/Target.h"
#include "tasks/LoopExits.h"
#include "transform/OwnerTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Lines of code that a loop meets from the end of its start on, at each end of a
/// piece, and at its own end, with what restores registers and the line behind that,
/// which is fetched with it; the one before included.
constexpr unsigned StartLines = 4, PieceLines = 4, EndLines = 7;

class Chooser {
public:
  Chooser(TaskLoop &T, IterationLimit &Limit, const PolicyCounters &Counters)
      : T(T), Limit(Limit), F(*T.Header->getParent()), Context(F.getContext()),
        Policy(addPolicyCode(*F.getParent(), Counters)),
        IsInlined(Target(*F.getParent()).mayHaveAmu()) {}

  GlobalVariable *build(unsigned Tasks, uint64_t TurnCycles) {
    createState();
    Start = newBlock("start");
    StartCall = IsInlined ? newBlock("start.call") : Start;
    Control = newBlock("control");
    EnterPlain = newBlock("plain");
    EnterTasks = newBlock("tasks");
    Next = newBlock("next");
    T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Start);

    control();
    IRBuilder<> B(Control->getTerminator());
    ChunkedLoop Chunks(T, Limit, B, Budget,
                       [&](PHINode *Phi) { return Now.lookup(Phi); });
    Chunks.splitExits([&](BasicBlock *Exit, Value *Iterations) {
      callEnd(Exit, Iterations);
    });
    endChunk(Chunks);
    if (IsInlined && T.Owners)
      letAsk();
    clone();
    enter();
    callStart(Tasks, TurnCycles);
    if (IsInlined)
      inlinePolicy(Calls);
    if (Limit.addsBranch())
      unrollLimited(*plain(T.Header));
    return Loop;
  }

private:
  TaskLoop &T;
  IterationLimit &Limit;
  Function &F;
  LLVMContext &Context;
  PolicyCode Policy;
  /// What a short program needs of the policy is part of the loop: on NH-G each
  /// line of code that it has to fetch costs more than all of the trial else.
  bool IsInlined;
  BasicBlock *Start, *Control, *EnterPlain, *EnterTasks, *Next;
  /// Calls the policy; else Start does.
  BasicBlock *StartCall;
  SmallVector<CallInst *, 4> Calls;
  /// From the loop to its plain copy.
  ValueToValueMapTy Plain;
  /// What the policy remembers of the loop, and of one run of it.
  GlobalVariable *Loop = nullptr;
  AllocaInst *Run = nullptr;
  /// In Control: the form to run, its iterations, and the values the next
  /// iteration starts with.
  Value *Form = nullptr;
  Value *Budget = nullptr;
  MapVector<PHINode *, PHINode *> Now;

  Value *plain(Value *V) {
    Value *Mapped = Plain.lookup(V);
    return Mapped ? Mapped : V;
  }
  BasicBlock *plain(BasicBlock *BB) {
    return cast<BasicBlock>(plain(static_cast<Value *>(BB)));
  }

  BasicBlock *newBlock(const Twine &Name) {
    return BasicBlock::Create(Context, "adapt." + Name, &F, T.Header);
  }

  void createState() {
    Loop = createLoopRecord(*F.getParent());
    Run = createRunRecord(F);
  }

  /// Of \p Count lines of code \p BB begins in the second one.
  static void readBlock(IRBuilderBase &B, BasicBlock *BB, unsigned Count) {
    readCode(B, BlockAddress::get(BB), /*First=*/-1, Count);
  }

  /// A loop that never ran reads the code that it will meet, and the rest of its state,
  /// which in a short program are in no cache, while the state's first line comes from
  /// memory, too.
  void expectCode(IRBuilderBase &B) {
    BasicBlock *First = newBlock("first");
    Value *Target = loadLoopWord(B, Loop, ADAPT_TARGET);
    B.CreateCondBr(B.CreateIsNull(Target), First, StartCall,
                   MDBuilder(Context).createBranchWeights(3, 1));
    B.SetInsertPoint(First);
    static_assert(ADAPT_LINE_BYTES == LineBytes, "the policy has other lines");
    constexpr unsigned LineWords = LineBytes / 8;
    // Behind it is what only several forms have.
    for (unsigned Word = LineWords; Word < ADAPT_MORE_FORMS; Word += LineWords)
      cast<LoadInst>(loadLoopWord(B, Loop, Word))->setVolatile(true);
    readBlock(B, Control, StartLines);
    readBlock(B, Next, PieceLines);
    if (BasicBlock *Last = Limit.lastExit())
      readBlock(B, Last, EndLines);
    B.CreateBr(StartCall);
    B.SetInsertPoint(StartCall);
  }

  void callStart(unsigned Tasks, uint64_t TurnCycles) {
    IRBuilder<> B(Start);
    if (IsInlined)
      expectCode(B);
    call(B, Policy.Start,
         {Loop, Run, B.getInt64(Tasks), B.getInt64(TurnCycles)});
    B.CreateBr(Control);
  }

  void call(IRBuilderBase &B, Function *Entry, ArrayRef<Value *> Arguments) {
    Calls.push_back(B.CreateCall(Entry, Arguments));
  }

  /// \returns true if something behind the chunk comes from the task of its last
  /// iteration.
  bool needsLastTask() const {
    return any_of(T.Exits, [&](const ExitEdge &E) {
      return E.To == Limit.chunkEnd() &&
             any_of(E.To->phis(), [&](const PHINode &Phi) {
               return LoopExits::isFromTask(
                   T, Phi.getIncomingValueForBlock(E.From));
             });
    });
  }

  /// Tasks that run may get more iterations. What was the last one then ends when it
  /// likes, perhaps behind the one that is.
  void letAsk() {
    std::optional<IterationLimit::Rest> Rest = Limit.rest();
    if (!Rest || needsLastTask())
      return;
    addLoopTrait(Loop, ADAPT_IS_EXCLUSIVE);
    IRBuilder<> B(Control->getTerminator());
    Value *Place = runWord(B, ADAPT_LEFT);
    B.CreateStore(Rest->Distance, Place);
    auto Ask = [More = Policy.More, Loop = Loop, Run = Run](IRBuilderBase &B) {
      return callMore(B, More, Loop, Run);
    };
    T.More = MoreIterations{Ask, runWord(B, ADAPT_ASKS), Place, Rest->Step,
                            Rest->End};
  }

  Value *runWord(IRBuilderBase &B, unsigned Word) {
    return B.CreateConstInBoundsGEP2_64(Run->getAllocatedType(), Run, 0, Word);
  }

  void control() {
    IRBuilder<> B(Control);
    for (PHINode &Phi : T.Header->phis()) {
      PHINode *Value = B.CreatePHI(Phi.getType(), 2, Phi.getName() + ".now");
      Value->addIncoming(Phi.getIncomingValueForBlock(T.Preheader), StartCall);
      Now[&Phi] = Value;
    }
    Form = B.CreateLoad(B.getInt64Ty(), runWord(B, ADAPT_FORM));
    Budget = B.CreateLoad(B.getInt64Ty(), runWord(B, ADAPT_BUDGET));
    if (Limit.addsBranch())
      Budget = wholeLimit(
          B, B.CreateAdd(Budget, B.getInt64(IterationsBetweenLimits - 1)));
    B.CreateCondBr(B.CreateICmpEQ(Form, B.getInt64(ADAPT_TASKS)), EnterTasks,
                   EnterPlain);
  }

  void callEnd(BasicBlock *Exit, Value *Iterations) {
    IRBuilder<> B(Exit->getTerminator());
    call(B, Policy.End, {Loop, Run, Iterations});
  }

  /// At the end of the chunk: is it the loop's?
  void endChunk(ChunkedLoop &Chunks) {
    Value *Iterations = Chunks.finish(Next);
    for (auto [Phi, Value] : Now)
      Value->addIncoming(Chunks.after(Phi), Next);
    IRBuilder<> B(Next);
    call(B, Policy.Next, {Loop, Run, Iterations});
    B.CreateBr(Control);
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
    Limit.splitLatch(plain(T.Latch));
    BranchInst::Create(plain(T.Header), EnterPlain);
  }

  /// Both forms start with the values in Control.
  void enter() {
    BranchInst::Create(T.Header, EnterTasks);
    auto StartWith = [&](PHINode *Phi, Value *V) {
      auto SetIn = [&](PHINode *Twin, BasicBlock *Enter) {
        Twin->setIncomingValueForBlock(T.Preheader, V);
        Twin->replaceIncomingBlockWith(T.Preheader, Enter);
      };
      SetIn(cast<PHINode>(plain(static_cast<Value *>(Phi))), EnterPlain);
      SetIn(Phi, EnterTasks);
    };
    for (auto [Phi, Value] : Now)
      StartWith(Phi, Value);
    if (PHINode *Counter = Limit.counter())
      StartWith(Counter, ConstantInt::get(Counter->getType(), 0));
    T.Preheader = EnterTasks;
    OutsideValues OfTasks(T.Blocks);
    SmallVector<BasicBlock *, 16> Copies;
    for (BasicBlock *BB : T.Blocks)
      Copies.push_back(plain(BB));
    IRBuilder<> AtPlain(EnterPlain->getTerminator());
    readyForPlain(AtPlain, Copies, Now.size());
    // Else they live across the plain copy and the calls of the policy, and mostly on
    // the stack. Where tasks need few registers nothing is gained.
    if (OfTasks.size() + T.Groups.size() > FewRegisters) {
      IRBuilder<> B(EnterTasks->getTerminator());
      OfTasks.keepApart(B);
    }
  }
};

} // namespace

GlobalVariable *asyncmem::addRunTimeChoice(TaskLoop &T, unsigned Tasks,
                                           uint64_t TurnCycles,
                                           const PolicyCounters &Counters) {
  std::unique_ptr<IterationLimit> Limit = IterationLimit::create(T);
  if (!Limit)
    return nullptr;
  return Chooser(T, *Limit, Counters).build(Tasks, TurnCycles);
}
