// SPDX-License-Identifier: Apache-2.0
// Static scheduler: prefetch, then the tasks resume in turn.
//
// The frames form a ring [Frames, end): resuming the next frame is the FIFO
// order, since each task that ends is replaced in its place by the next
// iteration. The ring grows by one frame each time its end is reached until
// all tasks run. When no iteration is left, the last frame moves into the place
// of the one that ended and the ring shrinks; nothing else counts tasks.

#include "asyncmem/Names.h"
#include "asyncmem/Scheduler.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class StaticScheduler : public Scheduler {
public:
  StaticScheduler(const Options &Opts, unsigned Tasks, Function &F,
                  const TaskBlocks &Blocks, Variables &Vars)
      : Scheduler(Opts, Tasks, F, Blocks, Vars) {
    Type *Ptr = PointerType::getUnqual(F.getContext());
    Current = Vars.create(Ptr, "frame");
    End = Vars.create(Ptr, "ring.end");
  }

  /// A store does not wait for memory on any CPU with a store buffer.
  bool suspendsAt(const Instruction &Access) const override {
    return isa<LoadInst>(Access);
  }

  void issue(Instruction &Access, const Suspension &S) override {
    IRBuilder<> Builder(S.Before->getTerminator());
    Builder.SetCurrentDebugLocation(Access.getDebugLoc());
    Value *Pointer = getLoadStorePointerOperand(&Access);
    bool Written = any_of(Pointer->users(), [&](const User *U) {
      auto *Store = dyn_cast<StoreInst>(U);
      return Store && Store->getPointerOperand() == Pointer;
    });
    CallInst *Request = Builder.CreateIntrinsic(
        Intrinsic::prefetch, {Pointer->getType()},
        {Pointer, Builder.getInt32(Written), Builder.getInt32(HighLocality),
         Builder.getInt32(DataCache)});
    Request->setMetadata(SwitchTag, MDNode::get(F.getContext(), {}));
  }

  unsigned headerBytes(unsigned Suspensions) const override {
    return Suspensions > 1 ? 8 : 0;
  }

  Value *frame(IRBuilderBase &Builder) override {
    return Builder.CreateLoad(Builder.getPtrTy(), Current);
  }

  void emit(ArrayRef<Suspension> Suspensions, const Condition &More) override {
    LLVMContext &Context = F.getContext();
    auto NewBlock = [&](const Twine &Name) {
      return BasicBlock::Create(Context, Name, &F, Blocks.Return);
    };
    BasicBlock *RingEnd = NewBlock("ring.end");
    BasicBlock *Grow = NewBlock("ring.grow");
    BasicBlock *Wrap = NewBlock("ring.wrap");
    BasicBlock *Dispatch = NewBlock("dispatch");
    BasicBlock *Retire = NewBlock("retire");
    BasicBlock *Remain = NewBlock("remain");

    IRBuilder<> B(Blocks.Init);
    Type *Ptr = B.getPtrTy();
    auto Step = [&](Value *From, int64_t Bytes) {
      return B.CreateInBoundsGEP(B.getInt8Ty(), From, B.getInt64(Bytes));
    };
    Value *Limit = Step(Frames, int64_t(Tasks) * Stride);
    B.CreateStore(Frames, Current);
    B.CreateStore(Step(Frames, Stride), End);
    B.CreateBr(Blocks.Launch);
    saveResumeAddress(Suspensions);
    cutSuspensions(Suspensions);

    B.SetInsertPoint(Blocks.Schedule);
    Value *Next = Step(frame(B), Stride);
    B.CreateStore(Next, Current);
    B.CreateCondBr(B.CreateICmpEQ(Next, B.CreateLoad(Ptr, End)), RingEnd,
                   Dispatch);

    B.SetInsertPoint(RingEnd);
    Value *Room = B.CreateICmpNE(B.CreateLoad(Ptr, End), Limit);
    B.CreateCondBr(B.CreateAnd(Room, More(B, true)), Grow, Wrap);

    B.SetInsertPoint(Grow);
    B.CreateStore(Step(B.CreateLoad(Ptr, End), Stride), End);
    B.CreateBr(Blocks.Launch);

    B.SetInsertPoint(Wrap);
    B.CreateStore(Frames, Current);
    B.CreateBr(Dispatch);

    B.SetInsertPoint(Dispatch);
    dispatch(B, Suspensions);

    B.SetInsertPoint(Blocks.Return);
    B.CreateCondBr(More(B, false), Blocks.Launch, Retire);

    B.SetInsertPoint(Retire);
    Value *Last = Step(B.CreateLoad(Ptr, End), -int64_t(Stride));
    B.CreateStore(Last, End);
    B.CreateMemCpyInline(frame(B), Align(8), Last, Align(8),
                         B.getInt64(Stride));
    B.CreateCondBr(B.CreateICmpEQ(Last, Frames), Blocks.Finalize, Remain);

    B.SetInsertPoint(Remain);
    B.CreateCondBr(B.CreateICmpEQ(frame(B), B.CreateLoad(Ptr, End)), Wrap,
                   Dispatch);
  }

private:
  /// Operands of llvm.prefetch: keep in all caches; data, not instructions.
  static constexpr unsigned HighLocality = 3;
  static constexpr unsigned DataCache = 1;

  AllocaInst *Current;
  AllocaInst *End;
};

} // namespace

std::unique_ptr<Scheduler>
asyncmem::createStaticScheduler(const Options &Opts, unsigned Tasks,
                                Function &F, const TaskBlocks &Blocks,
                                Variables &Vars) {
  return std::make_unique<StaticScheduler>(Opts, Tasks, F, Blocks, Vars);
}
