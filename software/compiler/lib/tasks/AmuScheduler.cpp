// SPDX-License-Identifier: Apache-2.0
// Dynamic schedulers on the AMU: getfin (polls an ID and jumps to the address
// its frame holds) and bafin (jumps to the target bound to the request). How a
// task requests what it waits for: RequestIssuer.h; its data: Slot.h.
//
// A launch is reached for tasks that never ran, and, nearly always, from the end of
// another task, whose registers hold frame, slot and ID. Where both share the code it
// computes them anew, so the first launches get a copy of it.

#include "common/Blocks.h"
#include "common/MemoryVariables.h"
#include "common/Target.h"
#include "tasks/LiveTasks.h"
#include "tasks/RequestIssuer.h"
#include "tasks/Slot.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// From so many waits an iteration on, what lies in the slot, for which a
/// branch may wait, should be there a cycle earlier; the frame costs one
/// operation more at each launch.
constexpr double SlotsFirstWaits = 3;

/// The tasks of a loop with a longer launch are launched so seldom, compared with their
/// work, that a copy of it gains too little.
constexpr unsigned MaxCopiedInstructions = 64;

/// \returns the blocks that run after Launch and before anything else does.
BlockSet<BasicBlock> launchBlocks(const TaskBlocks &Blocks) {
  BlockSet<BasicBlock> Found;
  Found.insert(Blocks.Launch);
  for (unsigned I = 0; I != Found.size(); ++I)
    for (BasicBlock *Next : successors(Found[I]))
      if (Next != Blocks.Schedule && Next != Blocks.Return &&
          all_of(predecessors(Next),
                 [&](BasicBlock *P) { return Found.contains(P); }))
        Found.insert(Next);
  return Found;
}

bool mayBeCopied(const BlockSet<BasicBlock> &Copied) {
  unsigned Instructions = 0;
  for (const BasicBlock *BB : Copied) {
    if (BB->hasAddressTaken() ||
        !isa<BranchInst, SwitchInst, UnreachableInst>(BB->getTerminator()))
      return false;
    for (const Instruction &I : *BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (isa<AllocaInst>(I) || I.isEHPad() ||
          (Call && Call->cannotDuplicate()))
        return false;
      // Accesses of variables become nothing, and with -g the code is the same.
      if (!isa<LoadInst, StoreInst, BranchInst>(I) && !I.isDebugOrPseudoInst())
        ++Instructions;
    }
  }
  return Instructions <= MaxCopiedInstructions;
}

/// Sends \p First, whose jumps to Launch are for tasks that never ran, to a copy of what
/// is between Launch and the first suspension. Comes when the tasks are complete, before
/// variables become values.
void copyFirstLaunches(const TaskBlocks &Blocks, Variables &Vars,
                       ArrayRef<BasicBlock *> First) {
  const BlockSet<BasicBlock> Copied = launchBlocks(Blocks);
  if (!mayBeCopied(Copied))
    return;
  // Values used behind the launch: there are two of each then.
  SmallVector<Instruction *, 8> Used;
  for (BasicBlock *BB : Copied)
    for (Instruction &I : *BB)
      if (any_of(I.users(), [&](User *U) {
            return !Copied.contains(cast<Instruction>(U)->getParent());
          }))
        Used.push_back(&I);
  for (Instruction *I : Used)
    Vars.add(*DemoteRegToStack(*I));
  ValueToValueMapTy Map;
  const auto Copies = copyBlocks(Copied.getArrayRef(), Map, "first");
  joinBehindCopies(Copied.getArrayRef(), Map);
  // Both are the same code, which passes would join again.
  for (auto [BB, Copy] : zip(Copied, Copies))
    if (any_of(successors(BB),
               [&](BasicBlock *Next) { return !Copied.contains(Next); })) {
      IRBuilder<> B(Copy->getTerminator());
      keepEndApart(B);
    }
  for (BasicBlock *From : First)
    From->getTerminator()->replaceSuccessorWith(
        Blocks.Launch, cast<BasicBlock>(&*Map[Blocks.Launch]));
  Blocks.Body->append(Copies.begin(), Copies.end());
}

class AmuScheduler : public Scheduler {
public:
  AmuScheduler(const Options &Opts, unsigned Tasks, Function &F,
               const TaskBlocks &Blocks, Variables &Vars, unsigned SlotBytes)
      : Scheduler(Tasks, F, Blocks, Vars),
        Branches(Opts.Scheduler == SchedulerKind::Bafin),
        Live(F, Vars, Tasks, Opts.AdaptTasks),
        Handle(Vars, openInit(), Branches, Opts.SpmBase, SlotBytes),
        Words(F, Blocks, Branches), Slot(Handle),
        Requests(F, Blocks, Handle, Words), SlotBytes(SlotBytes) {}

  void issue(const AccessGroup &Group, Suspension &S,
             const Condition &More) override {
    std::optional<AccessGroup> Copies = Slot.inPlace(Group, S);
    if (!Copies)
      Slot.write(Group, S);
    const AccessGroup &Issued = Copies ? *Copies : Group;
    Requests.issue(Issued, S, More);
    Slot.read(Issued);
  }

  Value *readSlot(IRBuilderBase &B, const LoadInst &Load, unsigned Place,
                  Value *Offset) override {
    return Slot.readAt(B, Load, Place, Offset);
  }

  /// A task that must wait queues up behind the lock and sleeps; no request and
  /// no poll is spent on it until the lock is handed to it.
  Suspension lock(CallInst *Call) override {
    IRBuilder<> B(Call);
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    LockQueue Queue(B, Call->getArgOperand(0), waiters());
    Value *Free = Queue.isFree(B);
    BasicBlock *Head = Call->getParent(), *Behind;
    Suspension S = splitAtLock(Call, Behind);
    auto *Take = BasicBlock::Create(F.getContext(), "lock.take", &F, Behind);
    Blocks.Body->push_back(Take);
    Head->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Head);
    B.CreateCondBr(Free, Take, S.Before);

    B.SetInsertPoint(Take);
    Queue.take(B);
    B.CreateBr(Behind);

    B.SetInsertPoint(S.Before->getTerminator());
    Queue.append(B, Handle.id(B));
    ami::await(B, Words.computeBits(B, S, 0), Handle.id(B));
    Call->eraseFromParent();
    return S;
  }

  /// Hands the lock to the task that waits longest, if there is one.
  void unlock(CallInst *Call) override {
    IRBuilder<> B(Call);
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    LockQueue Queue(B, Call->getArgOperand(0), waiters());
    Value *First = Queue.first(B);
    Instruction *Release, *Wake;
    BasicBlock *Head = Call->getParent();
    SplitBlockAndInsertIfThenElse(B.CreateIsNull(First), Call, &Release, &Wake);
    Blocks.addToBody(
        Head, {Release->getParent(), Wake->getParent(), Call->getParent()});
    B.SetInsertPoint(Release);
    Queue.release(B);
    B.SetInsertPoint(Wake);
    Queue.removeFirst(B);
    ami::asignal(B, First);
    Call->eraseFromParent();
  }

  unsigned headerBytes(unsigned Suspensions) const override {
    return !Branches && Suspensions > 1 ? 8 : 0;
  }

  /// getfin turns an ID into an address by a shift. With task words a frame as
  /// large as a slot saves computing the slot's address (TaskHandle.h).
  unsigned frameStride(unsigned FrameBytes) const override {
    if (!Branches)
      return PowerOf2Ceil(FrameBytes);
    return FrameBytes && FrameBytes < SlotBytes && SlotBytes <= LineBytes
               ? SlotBytes
               : FrameBytes;
  }

  Value *frame(IRBuilderBase &B) override {
    return Handle.frame(B, handlerBase(), Stride);
  }

  void emit(ArrayRef<Suspension> Suspensions, const Condition &More) override {
    LLVMContext &Context = F.getContext();
    auto NewBlock = [&](const Twine &Name) {
      return BasicBlock::Create(Context, Name, &F, Blocks.Return);
    };
    BasicBlock *Idle = NewBlock("idle");
    BasicBlock *Check = NewBlock("idle.check");
    BasicBlock *Grow = NewBlock("grow");
    BasicBlock *Replace = Blocks.Launch;
    BasicBlock *Retire = NewBlock("retire");

    double Waits = 0;
    for (const Suspension &S : Suspensions)
      Waits += S.Frequency;
    Handle.uniteWithFrames(Blocks.Init, handlerBase(), Stride, Tasks,
                           Waits >= SlotsFirstWaits);
    emitInit();
    if (!Branches)
      saveResumeAddress(Suspensions);
    cutSuspensions(Suspensions);
    emitSchedule(Suspensions, Idle);

    IRBuilder<> B(Idle);
    B.CreateCondBr(Live.pollFailed(B), Check, Blocks.Schedule);

    B.SetInsertPoint(Check);
    B.CreateCondBr(More(B, true), Grow, Blocks.Schedule);

    B.SetInsertPoint(Grow);
    Handle.start(B, Live.add(B), handlerBase(), Stride);
    Requests.openFirstGroup(B);
    B.CreateBr(Blocks.Launch);

    if (Live.shrinks())
      Replace = emitShrinking(NewBlock);
    if (Requests.opensFirstGroup()) {
      Replace = NewBlock("replace");
      B.SetInsertPoint(Replace);
      Requests.openFirstGroup(B);
      B.CreateBr(Blocks.Launch);
    }
    B.SetInsertPoint(Blocks.Return);
    B.CreateCondBr(More(B, false), Replace, Retire, launchWeights(Context));

    B.SetInsertPoint(Retire);
    B.CreateCondBr(B.CreateIsNull(Live.end(B)), Blocks.Finalize,
                   Blocks.Schedule);
    if (auto SlotAccesses = Handle.slotAccesses())
      separateTaskMemory(*Blocks.Body, *SlotAccesses);
    SmallVector<BasicBlock *, 4> Rare = {Blocks.Init, Grow};
    if (Requests.launchesAtStores())
      Rare.push_back(Replace == Blocks.Launch ? Blocks.Return : Replace);
    copyFirstLaunches(Blocks, Vars, Rare);
  }

private:
  bool Branches;
  LiveTasks Live;
  TaskHandle Handle;
  AddressWords Words;
  SlotData Slot;
  RequestIssuer Requests;
  unsigned SlotBytes;
  Value *Base = nullptr;
  /// Task that waits behind each waiting task, by ID.
  AllocaInst *NextWaiter = nullptr;

  /// \returns Init, with an end in front of which code can be put.
  BasicBlock *openInit() {
    new UnreachableInst(F.getContext(), Blocks.Init);
    return Blocks.Init;
  }

  AllocaInst *waiters() {
    if (!NextWaiter)
      NextWaiter = createVariable(
          F, ArrayType::get(Type::getInt16Ty(F.getContext()), Tasks + 1),
          "waiters");
    return NextWaiter;
  }

  /// handler_base: IDs start at 1, so it lies one frame below the array.
  Value *handlerBase() {
    if (!Base) {
      IRBuilder<> B(Blocks.Init->getTerminator());
      Value *First = B.CreatePtrToInt(Frames, B.getInt64Ty());
      Base = keepInRegister(B, B.CreateSub(First, B.getInt64(Stride)));
    }
    return Base;
  }

  /// A task that ended is replaced, unless there are too many. \returns the
  /// block that decides.
  BasicBlock *
  emitShrinking(function_ref<BasicBlock *(const Twine &)> NewBlock) {
    BasicBlock *Replace = NewBlock("replace");
    BasicBlock *TooMany = NewBlock("too.many");
    BasicBlock *Shrink = NewBlock("shrink");
    BasicBlock *Keep = NewBlock("keep");
    IRBuilder<> B(Replace);
    B.CreateCondBr(Live.isTooMany(B), TooMany, Blocks.Launch);
    B.SetInsertPoint(TooMany);
    B.CreateCondBr(Live.mayRemove(B), Shrink, Keep);
    B.SetInsertPoint(Shrink);
    Live.remove(B, Handle.id(B));
    B.CreateBr(Blocks.Schedule);
    B.SetInsertPoint(Keep);
    Live.keep(B);
    B.CreateBr(Blocks.Launch);
    return Replace;
  }

  void emitInit() {
    Value *FrameBase = handlerBase();
    IRBuilder<> B(Blocks.Init->getTerminator());
    Handle.configure(B, FrameBase, Stride);
    if (Branches)
      ami::aconfig(B, ami::TargetBase, Words.targetBase(B));
    Live.start(B);
    Handle.start(B, B.getInt64(1), FrameBase, Stride);
    Requests.openFirstGroup(B);
    B.CreateBr(Blocks.Launch);
    Blocks.Init->getTerminator()->eraseFromParent();
  }

  /// A poll that finds nothing starts a task, and few find nothing later on.
  void weigh(CallBrInst &Bafin, ArrayRef<Suspension> Suspensions) {
    constexpr double Unit = 1024;
    constexpr uint32_t Idle = 64;
    SmallVector<uint32_t, 8> Weights = {Idle};
    for (const Suspension &S : Suspensions)
      Weights.push_back(std::clamp(S.Frequency * Unit, 1.0, Unit * Unit));
    Bafin.setMetadata(LLVMContext::MD_prof,
                      MDBuilder(F.getContext()).createBranchWeights(Weights));
  }

  void emitSchedule(ArrayRef<Suspension> Suspensions, BasicBlock *Idle) {
    IRBuilder<> B(Blocks.Schedule);
    if (!Branches) {
      Value *Id = ami::getfin(B);
      Handle.set(B, Id);
      BasicBlock *Dispatch =
          BasicBlock::Create(F.getContext(), "dispatch", &F, Idle);
      B.CreateCondBr(B.CreateICmpEQ(Id, B.getInt64(0)), Idle, Dispatch);
      B.SetInsertPoint(Dispatch);
      dispatch(B, Suspensions);
      return;
    }
    SmallVector<BasicBlock *, 8> Targets;
    for (const Suspension &S : Suspensions)
      Targets.push_back(S.After);
    CallBrInst *Bafin = ami::bafin(B, Idle, Targets);
    weigh(*Bafin, Suspensions);
    for (const Suspension &S : Suspensions) {
      B.SetInsertPoint(&*S.After->getFirstInsertionPt());
      ami::resumePoint(B);
      Handle.set(B, Bafin);
    }
  }
};

} // namespace

std::unique_ptr<Scheduler>
asyncmem::createAmuScheduler(const Options &Opts, unsigned Tasks, Function &F,
                             const TaskBlocks &Blocks, Variables &Vars,
                             unsigned SlotBytes) {
  return std::make_unique<AmuScheduler>(Opts, Tasks, F, Blocks, Vars,
                                        SlotBytes);
}
