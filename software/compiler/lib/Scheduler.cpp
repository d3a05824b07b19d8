// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/Scheduler.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace asyncmem;

std::unique_ptr<Scheduler>
Scheduler::create(const Options &Opts, unsigned Tasks, Function &F,
                  const TaskBlocks &Blocks, Variables &Vars) {
  if (Opts.Scheduler == SchedulerKind::Static)
    return createStaticScheduler(Opts, Tasks, F, Blocks, Vars);
  return createAmuScheduler(Opts, Tasks, F, Blocks, Vars);
}

bool Scheduler::targetsRiscv() const {
  return Triple(F.getParent()->getTargetTriple()).isRISCV64();
}

void Scheduler::allocateFrames(const Frame &Layout) {
  Stride = frameStride(Layout.size());
  Type *Byte = Type::getInt8Ty(F.getContext());
  BasicBlock &Entry = F.getEntryBlock();
  Frames = new AllocaInst(ArrayType::get(Byte, uint64_t(Tasks) * Stride), 0,
                          nullptr, Align(std::max(64u, Layout.alignment())),
                          "frames", &*Entry.getFirstInsertionPt());
}

Value *asyncmem::keepInRegister(IRBuilderBase &Builder, Value *V) {
  auto *Ty = FunctionType::get(V->getType(), {V->getType()}, false);
  return Builder.CreateCall(
      InlineAsm::get(Ty, "", "=r,0", /*hasSideEffects=*/true), {V});
}

void Scheduler::saveResumeAddress(ArrayRef<Suspension> Suspensions) {
  if (Suspensions.size() < 2)
    return;
  IRBuilder<> Init(Blocks.Init->getTerminator());
  for (const Suspension &S : Suspensions) {
    Value *Address = BlockAddress::get(&F, S.After);
    // RISC-V needs two instructions for an address, x86 an immediate.
    if (targetsRiscv())
      Address = keepInRegister(Init, Address);
    IRBuilder<> Builder(S.Before->getTerminator());
    Builder.CreateStore(Address, frame(Builder));
  }
}

void Scheduler::dispatch(IRBuilderBase &Builder,
                         ArrayRef<Suspension> Suspensions) {
  if (Suspensions.size() == 1) {
    Builder.CreateBr(Suspensions.front().After);
    return;
  }
  Value *Address = Builder.CreateLoad(Builder.getPtrTy(), frame(Builder));
  IndirectBrInst *Jump = Builder.CreateIndirectBr(Address, Suspensions.size());
  for (const Suspension &S : Suspensions)
    Jump->addDestination(S.After);
}

void Scheduler::cutSuspensions(ArrayRef<Suspension> Suspensions) {
  for (const Suspension &S : Suspensions)
    S.Before->getTerminator()->setSuccessor(0, Blocks.Schedule);
}
