// SPDX-License-Identifier: Apache-2.0

#include "choice/PlainRuns.h"
#include "choice/AdaptInterface.h"
#include "choice/PolicyCode.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

PlainRuns::PlainRuns(GlobalVariable *Loop, AllocaInst *Run, BasicBlock *Start,
                     BasicBlock *Control)
    : Run(Run), Control(Control) {
  auto New = [&](const char *Name) {
    return BasicBlock::Create(Start->getContext(), Name, Start->getParent(),
                              Control);
  };
  Ask = New("adapt.ask");
  IRBuilder<> B(Control);
  Form = B.CreatePHI(B.getInt64Ty(), 3, "form");
  Budget = B.CreatePHI(B.getInt64Ty(), 3, "budget");
  IsAsked = B.CreatePHI(B.getInt1Ty(), 3, "asked");
  B.SetInsertPoint(Start);
  if (!Loop) {
    B.CreateBr(Ask);
    return;
  }
  Held = New("adapt.held");
  Value *Runs = branchIfHeld(B, Loop, Held, Ask);
  B.SetInsertPoint(Held);
  takeHeldRun(B, Loop, Runs);
  Value *Iterations = loadHeldIterations(B, Loop, /*AtLeast=*/1);
  B.CreateBr(Control);
  Form->addIncoming(B.getInt64(ADAPT_PLAIN), Held);
  Budget->addIncoming(Iterations, Held);
  IsAsked->addIncoming(B.getFalse(), Held);
}

SmallVector<BasicBlock *, 2> PlainRuns::waysIn() const {
  SmallVector<BasicBlock *, 2> Ways = {Ask};
  if (Held)
    Ways.push_back(Held);
  return Ways;
}

Value *PlainRuns::word(IRBuilderBase &B, unsigned Number) const {
  return B.CreateConstInBoundsGEP2_64(Run->getAllocatedType(), Run, 0, Number);
}

void PlainRuns::enter(IRBuilderBase &B) {
  BasicBlock *From = B.GetInsertBlock();
  Form->addIncoming(B.CreateLoad(B.getInt64Ty(), word(B, ADAPT_FORM)), From);
  Budget->addIncoming(B.CreateLoad(B.getInt64Ty(), word(B, ADAPT_BUDGET)),
                      From);
  IsAsked->addIncoming(B.getTrue(), From);
  B.CreateBr(Control);
}

BasicBlock *PlainRuns::goOn(BasicBlock *Next, unsigned Tasks,
                            uint64_t TurnCycles) {
  auto New = [&](const char *Name) {
    return BasicBlock::Create(Next->getContext(), Name, Next->getParent(),
                              Next->getNextNode());
  };
  BasicBlock *Chunk = New("adapt.chunk"), *Tell = New("adapt.tell");
  IRBuilder<> B(Next);
  B.CreateCondBr(IsAsked, Chunk, Tell);
  B.SetInsertPoint(Tell);
  B.CreateStore(B.getInt64(Tasks), word(B, ADAPT_TASK_COUNT));
  B.CreateStore(B.getInt64(TurnCycles), word(B, ADAPT_TURN_CYCLES));
  B.CreateStore(B.getInt64(0), word(B, ADAPT_MEASURED));
  B.CreateStore(B.getInt64(0), word(B, ADAPT_PIECES));
  B.CreateBr(Chunk);
  return Chunk;
}

void PlainRuns::end(Instruction *Leave,
                    function_ref<void(IRBuilderBase &)> Call) {
  IRBuilder<> B(
      SplitBlockAndInsertIfThen(IsAsked, Leave, /*Unreachable=*/false));
  Call(B);
}
