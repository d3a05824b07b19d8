// SPDX-License-Identifier: Apache-2.0

#include "choice/PlainForm.h"

using namespace llvm;
using namespace asyncmem;

ChunkResult
asyncmem::takeChunk(IRBuilderBase &B, const LoopState &State, Value *Record,
                    BasicBlock *Before,
                    function_ref<void(IRBuilderBase &, Value *)> Leave) {
  auto New = [&](const char *Name) {
    return BasicBlock::Create(Before->getContext(), Name, Before->getParent(),
                              Before);
  };
  Value *Taken = State.load(B, Record, LoopState::Exit);
  Value *Ran = State.load(B, Record, LoopState::Iterations);
  ChunkResult Result;
  Result.Again = New("adapt.again");
  Result.Iterations = Ran;
  SwitchInst *Out = B.CreateSwitch(Taken, Result.Again, State.exits().size());
  B.SetInsertPoint(Result.Again);
  for (PHINode *Phi : State.phis())
    Result.Next[Phi] = State.load(B, Record, Phi);
  for (auto [Index, Exit] : enumerate(State.exits())) {
    BasicBlock *Way = New("adapt.leave");
    Out->addCase(B.getInt64(Index + 1), Way);
    B.SetInsertPoint(Way);
    Leave(B, Ran);
    for (PHINode &Phi : Exit->phis())
      Phi.addIncoming(State.load(B, Record, &Phi), Way);
    B.CreateBr(Exit);
  }
  return Result;
}
