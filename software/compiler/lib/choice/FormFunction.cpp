// SPDX-License-Identifier: Apache-2.0

#include "choice/FormFunction.h"
#include "choice/ChunkedLoop.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

bool FormFunction::limit() {
  std::unique_ptr<IterationLimit> Limit = IterationLimit::create(T);
  if (!Limit || !State.follow(T, Map))
    return false;
  Function &F = *T.Header->getParent();
  auto NewBlock = [&](const Twine &Name) {
    return BasicBlock::Create(F.getContext(), "adapt." + Name, &F, T.Header);
  };
  AllocaInst *Record = State.create(F);
  BasicBlock *Entry = NewBlock("form"), *End = NewBlock("form.end");
  Part.emplace(Entry, End, Record, Map);
  new UnreachableInst(F.getContext(), End);
  T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Entry);
  IRBuilder<> B(Entry);
  // Nothing between entry and exit needs the record: it shall take no register.
  auto *Place = new AllocaInst(B.getPtrTy(), 0, "adapt.record", Record);
  B.CreateStore(Record, Place, /*isVolatile=*/true);
  auto ReadPlace = [&] {
    return B.CreateLoad(B.getPtrTy(), Place, /*isVolatile=*/true);
  };
  DenseMap<PHINode *, Value *> Now;
  for (PHINode *Phi : State.phis()) {
    Now[Phi] = State.load(B, Record, Phi);
    Phi->setIncomingValueForBlock(T.Preheader, Now[Phi]);
    Phi->replaceIncomingBlockWith(T.Preheader, Entry);
  }
  T.Preheader = Entry;
  Value *Budget = State.load(B, Record, LoopState::Budget);
  B.SetInsertPoint(B.CreateBr(T.Header));
  ChunkedLoop Chunks(T, *Limit, B, Budget,
                     [&](PHINode *Phi) { return Now.lookup(Phi); });

  Chunks.splitExits([&](BasicBlock *Exit, Value *Iterations) {
    B.SetInsertPoint(Exit->getTerminator());
    State.store(B, ReadPlace(), LoopState::Iterations, Iterations);
  });
  BasicBlock *Again = NewBlock("again");
  Value *Iterations = Chunks.finish(Again);
  B.SetInsertPoint(Chunks.end()->getTerminator());
  State.store(B, ReadPlace(), LoopState::Iterations, Iterations);
  B.SetInsertPoint(Again);
  Value *Out = ReadPlace();
  State.store(B, Out, LoopState::Exit, B.getInt64(0));
  for (PHINode *Phi : State.phis())
    State.store(B, Out, Phi, Chunks.after(Phi));
  B.CreateBr(End);
  for (auto [Index, Exit] : enumerate(State.exits())) {
    SplitBlock(Exit, Exit->getFirstNonPHI());
    ReplaceInstWithInst(Exit->getTerminator(), BranchInst::Create(End));
    B.SetInsertPoint(Exit->getTerminator());
    Value *Last = ReadPlace();
    State.store(B, Last, LoopState::Exit, B.getInt64(Index + 1));
    for (PHINode &Phi : Exit->phis())
      State.store(B, Last, &Phi, &Phi);
  }
  return true;
}

Function *FormFunction::extract() { return Part->extract(); }

SmallVector<Value *, 8> FormFunction::arguments(AllocaInst *OwnRecord) const {
  return Part->arguments(OwnRecord);
}
