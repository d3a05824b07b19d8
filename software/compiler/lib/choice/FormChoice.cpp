// SPDX-License-Identifier: Apache-2.0

#include "choice/FormChoice.h"
#include "choice/AdaptInterface.h"
#include "choice/ChunkedLoop.h"
#include "choice/PlainRuns.h"
#include "choice/PolicyCode.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class FormChooser {
public:
  FormChooser(TaskLoop &T, const LoopState &State, ArrayRef<FormCall> Forms)
      : T(T), State(State), Forms(Forms), F(*T.Header->getParent()),
        Context(F.getContext()), Where(placeOfCall(*T.Header)),
        Policy(addPolicyCode(*F.getParent(), PolicyCounters())),
        Loop(createLoopRecord(*F.getParent())), Run(createRunRecord(F)),
        Record(State.create(F)) {
    beginLoopWord(Loop, ADAPT_MORE_FORMS, Forms.size() - 1);
  }

  GlobalVariable *build(unsigned Tasks, uint64_t TurnCycles, bool IsAsked) {
    Start = newBlock("start");
    Control = newBlock("control");
    Next = newBlock("next");
    BasicBlock *EnterPlain = newBlock("plain");
    BasicBlock *EnterTasks = newBlock("tasks");
    T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Start);
    Runs.emplace(IsAsked ? nullptr : Loop, Run, Start, Control);
    IRBuilder<> B(Runs->ask());
    B.CreateCall(Policy.Start,
                 {Loop, Run, B.getInt64(Tasks), B.getInt64(TurnCycles)});
    Runs->enter(B);
    BasicBlock *Chunk = Runs->goOn(Next, Tasks, TurnCycles);
    control(EnterPlain, EnterTasks, Chunk);
    runPlain(EnterPlain);
    runTasks(EnterTasks);
    B.SetInsertPoint(Chunk);
    B.CreateCall(Policy.Next, {Loop, Run, Iterations});
    Runs->enter(B);
    return Loop;
  }

private:
  TaskLoop &T;
  const LoopState &State;
  ArrayRef<FormCall> Forms;
  Function &F;
  LLVMContext &Context;
  DebugLoc Where;
  PolicyCode Policy;
  GlobalVariable *Loop;
  AllocaInst *Run, *Record;
  BasicBlock *Start, *Control, *Next;
  std::optional<PlainRuns> Runs;
  /// In Control: the values the next iteration starts with; in Next: the same,
  /// and the iterations that ran.
  DenseMap<PHINode *, PHINode *> Now, After;
  PHINode *Iterations;

  BasicBlock *newBlock(const Twine &Name) {
    return BasicBlock::Create(Context, "adapt." + Name, &F, T.Header);
  }

  void callEnd(BasicBlock *Exit, Value *Ran) {
    Runs->end(Exit->getTerminator(), [&](IRBuilderBase &B) {
      B.CreateCall(Policy.End, {Loop, Run, Ran});
    });
  }

  void control(BasicBlock *EnterPlain, BasicBlock *EnterTasks,
               BasicBlock *Chunk) {
    IRBuilder<> B(Control), AtNext(Next, Next->begin());
    for (PHINode *Phi : State.phis()) {
      Now[Phi] = B.CreatePHI(Phi->getType(), 2, Phi->getName() + ".now");
      After[Phi] =
          AtNext.CreatePHI(Phi->getType(), 2, Phi->getName() + ".next");
      for (BasicBlock *From : Runs->waysIn())
        Now[Phi]->addIncoming(Phi->getIncomingValueForBlock(T.Preheader), From);
      Now[Phi]->addIncoming(After[Phi], Chunk);
    }
    Iterations = AtNext.CreatePHI(B.getInt64Ty(), 2);
    B.CreateCondBr(B.CreateICmpEQ(Runs->form(), B.getInt64(ADAPT_PLAIN)),
                   EnterPlain, EnterTasks);
  }

  void runPlain(BasicBlock *Enter) {
    for (PHINode *Phi : State.phis()) {
      Phi->setIncomingValueForBlock(T.Preheader, Now[Phi]);
      Phi->replaceIncomingBlockWith(T.Preheader, Enter);
    }
    T.Preheader = Enter;
    std::unique_ptr<IterationLimit> Limit = IterationLimit::create(T);
    IRBuilder<> B(Enter);
    B.SetInsertPoint(B.CreateBr(T.Header));
    ChunkedLoop Chunks(T, *Limit, B, Runs->budget(),
                       [&](PHINode *Phi) { return Now.lookup(Phi); });
    Chunks.splitExits(
        [&](BasicBlock *Exit, Value *Ran) { callEnd(Exit, Ran); });
    Value *Ran = Chunks.finish(Next);
    // What the next iteration and what follows the loop start with are copies for
    // the code generator, made in the order of the blocks and joined with the
    // original in that order: those of the loop must come first.
    Chunks.end()->moveAfter(T.Latch);
    for (PHINode *Phi : State.phis())
      After[Phi]->addIncoming(Chunks.after(Phi), Chunks.end());
    Iterations->addIncoming(Ran, Chunks.end());
    if (BasicBlock *Last = Limit->lastExit())
      callEnd(Last, Ran);
  }

  void runTasks(BasicBlock *Enter) {
    BasicBlock *Done = newBlock("tasks.done");
    IRBuilder<> B(Enter);
    for (PHINode *Phi : State.phis())
      State.store(B, Record, Phi, Now[Phi]);
    State.store(B, Record, LoopState::Budget, Runs->budget());
    SmallVector<SmallVector<Value *, 8>, 3> Arguments;
    for (const FormCall &Call : Forms)
      Arguments.push_back(Call.Form->arguments(Record));
    const VariableCopies Copies(Arguments, Record);
    Copies.fill(B);
    SwitchInst *Choice = nullptr;
    for (auto [Index, Call] : enumerate(Forms)) {
      BasicBlock *Run = newBlock("form");
      if (Choice)
        Choice->addCase(B.getInt64(ADAPT_TASKS + Index), Run);
      else
        Choice = IRBuilder<>(Enter).CreateSwitch(Runs->form(), Run);
      B.SetInsertPoint(Run);
      B.CreateCall(Call.Code, Arguments[Index])->setDebugLoc(Where);
      B.CreateBr(Done);
    }

    B.SetInsertPoint(Done);
    Copies.readBack(B);
    takeChunk(B);
  }

  /// Behind the call of a form: the ways to the loop's exits, or to the next chunk.
  void takeChunk(IRBuilder<> &B) {
    Value *Taken = State.load(B, Record, LoopState::Exit);
    Value *Ran = State.load(B, Record, LoopState::Iterations);
    BasicBlock *Again = newBlock("again");
    SwitchInst *Out = B.CreateSwitch(Taken, Again, State.exits().size());
    B.SetInsertPoint(Again);
    for (PHINode *Phi : State.phis())
      After[Phi]->addIncoming(State.load(B, Record, Phi), Again);
    Iterations->addIncoming(Ran, Again);
    B.CreateBr(Next);
    for (auto [Index, Exit] : enumerate(State.exits())) {
      BasicBlock *Way = newBlock("leave");
      Out->addCase(B.getInt64(Index + 1), Way);
      B.SetInsertPoint(Way);
      B.CreateCall(Policy.End, {Loop, Run, Ran});
      for (PHINode &Phi : Exit->phis())
        Phi.addIncoming(State.load(B, Record, &Phi), Way);
      B.CreateBr(Exit);
    }
  }
};

} // namespace

GlobalVariable *asyncmem::addFormChoice(TaskLoop &T, const LoopState &State,
                                        ArrayRef<FormCall> Forms,
                                        unsigned Tasks, uint64_t TurnCycles,
                                        bool IsAsked) {
  return FormChooser(T, State, Forms).build(Tasks, TurnCycles, IsAsked);
}
