// SPDX-License-Identifier: Apache-2.0

#include "tasks/Scheduler.h"
#include "common/Machine.h"
#include "common/MemoryVariables.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

AllocaInst *Variables::create(Type *Ty, const Twine &Name) {
  Allocas.push_back(createVariable(F, Ty, Name));
  return Allocas.back();
}

/// The code generator takes no other integers as operands of an asm.
static bool fitsRegister(const Type *Ty) {
  unsigned Bits = Ty->isIntegerTy() ? Ty->getIntegerBitWidth() : 64;
  return isPowerOf2_32(Bits) && Bits >= 8 && Bits <= 128;
}

Value *asyncmem::keepInRegister(IRBuilderBase &Builder, Value *V) {
  if (!fitsRegister(V->getType()))
    return V;
  auto *Ty = FunctionType::get(V->getType(), {V->getType()}, false);
  return Builder.CreateCall(
      InlineAsm::get(Ty, "", "=r,0", /*hasSideEffects=*/true), {V});
}

void asyncmem::keepEndApart(IRBuilderBase &Builder) {
  auto *Ty = FunctionType::get(Builder.getVoidTy(), false);
  Builder.CreateCall(InlineAsm::get(Ty, "", "", /*hasSideEffects=*/true));
}

void Scheduler::allocateFrames(unsigned FrameBytes, unsigned FrameAlignment) {
  assert(!Frames && "there are frames already");
  Stride = frameStride(FrameBytes);
  assert(Stride >= FrameBytes && "frames overlap");
  Type *Byte = Type::getInt8Ty(F.getContext());
  BasicBlock &Entry = F.getEntryBlock();
  Frames = new AllocaInst(ArrayType::get(Byte, uint64_t(Tasks) * Stride), 0,
                          nullptr, Align(std::max(LineBytes, FrameAlignment)),
                          "frames", &*Entry.getFirstInsertionPt());
}

void Scheduler::saveResumeAddress(ArrayRef<Suspension> Suspensions) {
  if (Suspensions.size() < 2)
    return;
  IRBuilder<> Init(Blocks.Init->getTerminator());
  for (const Suspension &S : Suspensions) {
    Value *Address = BlockAddress::get(&F, S.After);
    // RISC-V needs two instructions for an address, x86 an immediate.
    if (!Target(*F.getParent()).hasWideImmediates())
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

MDNode *Scheduler::launchWeights(LLVMContext &Context) {
  return MDBuilder(Context).createBranchWeights(64, 1);
}

Suspension Scheduler::splitAtLock(CallInst *Call, BasicBlock *&Behind) {
  BasicBlock *Head = Call->getParent();
  Behind = SplitBlock(Head, Call);
  Suspension S;
  S.Before = BasicBlock::Create(F.getContext(), "lock.wait", &F, Behind);
  S.After = BasicBlock::Create(F.getContext(), "lock.resume", &F, Behind);
  BranchInst::Create(S.After, S.Before);
  BranchInst::Create(Behind, S.After);
  Blocks.addToBody(Head, {S.Before, S.After, Behind});
  return S;
}

void Scheduler::cutSuspensions(ArrayRef<Suspension> Suspensions) {
  for (const Suspension &S : Suspensions) {
    assert(S.Before->getSingleSuccessor() == S.After && "cut already");
    S.Before->getTerminator()->setSuccessor(0, Blocks.Schedule);
  }
}
