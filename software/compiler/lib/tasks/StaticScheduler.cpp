// SPDX-License-Identifier: Apache-2.0
// Static scheduler: prefetch, then the tasks resume in turn.
//
// The frames form a ring [Frames, end): resuming the next frame is the FIFO
// order, since each task that ends is replaced in its place by the next
// iteration. The ring grows by one frame each time its end is reached until
// all tasks run. When no iteration is left, the last frame moves into the place
// of the one that ended and the ring shrinks; nothing else counts tasks.

#include "common/Names.h"
#include "common/Target.h"
#include "tasks/Scheduler.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class StaticScheduler : public Scheduler {
public:
  StaticScheduler(unsigned Tasks, Function &F, const TaskBlocks &Blocks,
                  Variables &Vars)
      : Scheduler(Tasks, F, Blocks, Vars) {
    Type *Ptr = PointerType::getUnqual(F.getContext());
    Current = Vars.create(Ptr, "frame");
    End = Vars.create(Ptr, "ring.end");
  }

  void issue(const AccessGroup &Group, Suspension &S,
             const Condition &) override {
    IRBuilder<> B(S.Before->getTerminator());
    CallInst *Prefetch = rowPrefetch(Group.accesses().front());
    if (Prefetch) {
      Prefetch->moveBefore(S.Before->getTerminator());
      Prefetch->setMetadata(SwitchTag, MDNode::get(F.getContext(), {}));
      return;
    }
    for (const Request &R : Group.Requests) {
      B.SetCurrentDebugLocation(R.Parts.front().Access->getDebugLoc());
      Value *Pointer = R.pointer(B);
      for (unsigned Offset : touchedLines(R))
        Prefetch = B.CreateIntrinsic(
            Intrinsic::prefetch, {Pointer->getType()},
            {B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, Offset),
             B.getInt32(isWritten(R)), B.getInt32(HighLocality),
             B.getInt32(DataCache)});
    }
    Prefetch->setMetadata(SwitchTag, MDNode::get(F.getContext(), {}));
  }

  /// Tries the lock, each time the task's turn comes; threads may hold it too.
  Suspension lock(CallInst *Call) override {
    BasicBlock *Head = Call->getParent();
    BasicBlock *Try = SplitBlock(Head, Call);
    Blocks.addToBody(Head, Try);
    BasicBlock *Behind;
    Suspension S = splitAtLock(Call, Behind);
    S.After->getTerminator()->setSuccessor(0, Try);
    IRBuilder<> B(Try->getTerminator());
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    Value *Old =
        B.CreateAtomicRMW(AtomicRMWInst::Xchg, Call->getArgOperand(0),
                          B.getInt64(1), Align(8), AtomicOrdering::Acquire);
    B.CreateCondBr(B.CreateIsNull(Old), Behind, S.Before);
    Try->getTerminator()->eraseFromParent();
    Call->eraseFromParent();
    return S;
  }

  void unlock(CallInst *Call) override {
    IRBuilder<> B(Call);
    B.CreateAlignedStore(B.getInt64(0), Call->getArgOperand(0), Align(8))
        ->setAtomic(AtomicOrdering::Release);
    Call->eraseFromParent();
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
    if (Stride <= MaxInlineCopyBytes)
      B.CreateMemCpyInline(frame(B), Align(8), Last, Align(8),
                           B.getInt64(Stride));
    else
      B.CreateMemCpy(frame(B), Align(8), Last, Align(8), Stride);
    B.CreateCondBr(B.CreateICmpEQ(Last, Frames), Blocks.Finalize, Remain);

    B.SetInsertPoint(Remain);
    B.CreateCondBr(B.CreateICmpEQ(frame(B), B.CreateLoad(Ptr, End)), Wrap,
                   Dispatch);
  }

private:
  /// Larger frames are moved by a call of the C library.
  static constexpr unsigned MaxInlineCopyBytes = 512;

  /// Offsets at which all lines of \p R are met. The last byte counts if the
  /// first may lie anywhere in its line.
  static SmallVector<unsigned, 2> touchedLines(const Request &R) {
    SmallVector<unsigned, 2> Offsets;
    for (unsigned Offset = 0; Offset < R.UsedBytes; Offset += LineBytes)
      Offsets.push_back(Offset);
    if (R.Alignment.value() < std::min(R.bytes(), LineBytes))
      Offsets.push_back(R.UsedBytes - 1);
    return Offsets;
  }

  /// \returns true if the task stores to a place it loads.
  static bool isWritten(const Request &R) {
    return any_of(R.Parts, [](const AccessPart &Part) {
      const Value *Pointer = accessPointer(Part.Access);
      return !isa<LoadInst>(Part.Access) ||
             any_of(Pointer->users(), [&](const User *U) {
               auto *Store = dyn_cast<StoreInst>(U);
               return Store && Store->getPointerOperand() == Pointer;
             });
    });
  }

  AllocaInst *Current;
  AllocaInst *End;
};

} // namespace

std::unique_ptr<Scheduler>
asyncmem::createStaticScheduler(unsigned Tasks, Function &F,
                                const TaskBlocks &Blocks, Variables &Vars) {
  return std::make_unique<StaticScheduler>(Tasks, F, Blocks, Vars);
}
