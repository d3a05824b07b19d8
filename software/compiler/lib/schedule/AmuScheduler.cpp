// SPDX-License-Identifier: Apache-2.0
// Dynamic schedulers on the AMU: getfin (polls an ID and jumps to the address
// its frame holds) and bafin (jumps to the target bound to the request).

#include "common/AmuInstructions.h"
#include "common/Names.h"
#include "common/Target.h"
#include "schedule/AddressWords.h"
#include "schedule/FirstLaunches.h"
#include "schedule/LiveTasks.h"
#include "schedule/LockQueue.h"
#include "schedule/Scheduler.h"
#include "schedule/SlotCopies.h"
#include "schedule/StripIssue.h"
#include "schedule/TaskHandle.h"
#include "schedule/TaskMemory.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// From so many waits an iteration on, what lies in the slot, for which a
/// branch may wait, should be there a cycle earlier; the frame costs one
/// operation more at each launch.
constexpr double SlotsFirstWaits = 3;

class AmuScheduler : public Scheduler {
public:
  AmuScheduler(const Options &Opts, unsigned Tasks, Function &F,
               const TaskBlocks &Blocks, Variables &Vars, unsigned SlotBytes)
      : Scheduler(Opts, Tasks, F, Blocks, Vars),
        Branches(Opts.Scheduler == SchedulerKind::Bafin),
        Live(F, Vars, Tasks, Opts.AdaptTasks, Blocks.Share != nullptr),
        Handle(Vars, openInit(), Branches, Opts.SpmBase, SlotBytes),
        Words(F, Blocks, Branches), SlotBytes(SlotBytes) {}

  void issue(const AccessGroup &Group, Suspension &S,
             const Condition &More) override {
    if (std::optional<AccessGroup> Copies = Copied.inPlace(Group, S.Before)) {
      request(*Copies, S, More);
      return;
    }
    writeSlot(Group, S);
    request(Group, S, More);
  }

  Value *readSlot(IRBuilderBase &B, const LoadInst &Load, unsigned Place,
                  Value *Offset) override {
    return B.CreateAlignedLoad(
        Load.getType(),
        B.CreateGEP(B.getInt8Ty(), Handle.slot(B, Place), Offset),
        std::min(Load.getAlign(), Align(WordBytes)));
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
    sleep(S);
    Call->eraseFromParent();
    return S;
  }

  Value *taskId(IRBuilderBase &B) override { return Handle.id(B); }

  void sleep(const Suspension &S) override {
    IRBuilder<> B(S.Before->getTerminator());
    ami::await(B, Words.computeBits(B, S, 0), Handle.id(B));
  }

  void wake(IRBuilderBase &B, Value *Id) override { ami::asignal(B, Id); }

  /// Hands the lock to the task that waits longest, if there is one.
  void unlock(CallInst *Call) override {
    IRBuilder<> B(Call);
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    LockQueue Queue(B, Call->getArgOperand(0), waiters());
    Value *First = Queue.first(B);
    Instruction *Release, *Wake;
    BasicBlock *Head = Call->getParent();
    SplitBlockAndInsertIfThenElse(B.CreateIsNull(First), Call, &Release, &Wake);
    addToBody(Head,
              {Release->getParent(), Wake->getParent(), Call->getParent()});
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
    B.CreateCondBr(More(B, true), Grow,
                   Blocks.Share ? growToShare(NewBlock) : Blocks.Schedule);

    B.SetInsertPoint(Grow);
    Handle.start(B, Live.add(B), handlerBase(), Stride);
    openFirstGroup(B);
    B.CreateBr(Blocks.Launch);

    if (Live.shrinks())
      Replace = emitShrinking(NewBlock);
    if (FirstRequests) {
      Replace = NewBlock("replace");
      B.SetInsertPoint(Replace);
      openFirstGroup(B);
      B.CreateBr(Blocks.Launch);
    }
    BasicBlock *None = Retire;
    if (Blocks.Share) {
      None = NewBlock("return.look");
      Blocks.Ranges->look(None, Blocks.Share, Retire);
    }
    B.SetInsertPoint(Blocks.Return);
    B.CreateCondBr(More(B, false), Replace, None, oftenFirst());

    B.SetInsertPoint(Retire);
    B.CreateCondBr(B.CreateIsNull(Live.end(B, [&] { return Handle.id(B); })),
                   Blocks.Finalize, Blocks.Schedule);
    if (auto SlotAccesses = Handle.slotAccesses())
      separateTaskMemory(*Blocks.Body, *SlotAccesses);
    SmallVector<BasicBlock *, 4> Rare = {Blocks.Init, Grow};
    if (LaunchesAtStores)
      Rare.push_back(Replace == Blocks.Launch ? Blocks.Return : Replace);
    copyFirstLaunches(Blocks, Vars, Rare);
  }

private:
  bool Branches;
  LiveTasks Live;
  TaskHandle Handle;
  AddressWords Words;
  SlotCopies Copied;
  unsigned SlotBytes;
  Value *Base = nullptr;
  /// Where stores of the iteration before may be part of an iteration's first
  /// group: its own requests, if they are several.
  unsigned FirstRequests = 0;
  /// By the size of a request: what its place in the page is compared with.
  DenseMap<unsigned, Value *> PageLimits;
  /// While iterations are left, tasks end at stores that they do not wait for.
  bool LaunchesAtStores = false;
  /// Task that waits behind each waiting task, by ID.
  AllocaInst *NextWaiter = nullptr;

  /// \returns Init, with an end in front of which code can be put.
  BasicBlock *openInit() {
    new UnreachableInst(F.getContext(), Blocks.Init);
    return Blocks.Init;
  }

  AllocaInst *waiters() {
    if (!NextWaiter)
      NextWaiter = new AllocaInst(
          ArrayType::get(Type::getInt16Ty(F.getContext()), Tasks + 1), 0,
          "waiters", &*F.getEntryBlock().getFirstInsertionPt());
    return NextWaiter;
  }

  /// The requests of \p Group, whose data for memory is in the slot.
  void request(const AccessGroup &Group, Suspension &S, const Condition &More) {
    if (Group.CompletesCarried && Group.Requests.size() > 1)
      FirstRequests = Group.Requests.size();
    if (Group.IsCarried && issueCarried(Group, S, More)) {
      // Both ways are complete.
    } else if (Group.Strip) {
      issueStrip(Group, S);
    } else if (Group.Next) {
      open(Group, S, ConstantInt::get(Type::getInt64Ty(F.getContext()), 1));
      requestFirst(Group, S);
    } else if (Group.mayNeedPieces()) {
      issueByPage(Group, S);
    } else {
      IRBuilder<> B(S.Before->getTerminator());
      issueRequests(B, Group, S, /*Rarely=*/false);
    }
    readSlot(Group);
  }

  /// Puts the data of the group's stores into the slot.
  void writeSlot(const AccessGroup &Group, const Suspension &S) {
    IRBuilder<> B(S.Before->getTerminator());
    for (const Request &R : Group.Requests)
      for (const AccessPart &Part : R.Parts)
        if (auto *Store = dyn_cast<StoreInst>(Part.Access)) {
          unsigned Place = R.SlotOffset + Part.Offset;
          B.SetCurrentDebugLocation(Store->getDebugLoc());
          B.CreateAlignedStore(Store->getValueOperand(), Handle.slot(B, Place),
                               Handle.slotAlignment(Place));
        }
  }

  /// Replaces the group's accesses by loads from the slot.
  void readSlot(const AccessGroup &Group) {
    for (const Request &R : Group.Requests)
      for (const AccessPart &Part : R.Parts) {
        unsigned Place = R.SlotOffset + Part.Offset;
        if (!R.isStore()) {
          IRBuilder<> B(Part.Access);
          Instruction *Read =
              B.CreateAlignedLoad(Part.Access->getType(), Handle.slot(B, Place),
                                  Handle.slotAlignment(Place));
          Part.Access->replaceAllUsesWith(Read);
          Copied.add(Read, Place);
        }
      }
    for (Instruction *Access : Group.accesses())
      Access->eraseFromParent();
    for (LoadInst *Load : Group.RowLoads)
      readRow(Group, Load);
    for (auto [Load, Place] : Group.RowReads)
      readRowAt(Load, Group.Requests.front(), Place);
    if (Group.Strip)
      readStrip(Handle, Group);
  }

  /// Replaces the load of a row's element by one from the block in the slot.
  void readRow(const AccessGroup &Group, LoadInst *Load) {
    const Request &R = Group.Requests.front();
    IRBuilder<> B(Load);
    Value *Address =
        B.CreatePtrToInt(Load->getPointerOperand(), B.getInt64Ty());
    readRowAt(Load, R, B.CreateAnd(Address, Group.Length * R.bytes() - 1));
  }

  void readRowAt(LoadInst *Load, const Request &R, Value *Place) {
    IRBuilder<> B(Load);
    Load->replaceAllUsesWith(readSlot(B, *Load, R.SlotOffset, Place));
    Load->eraseFromParent();
  }

  /// Opens a group of \p Count times its requests and of the block that may be
  /// wanted with it, and requests that.
  void open(const AccessGroup &Group, Suspension &S, Value *Count) {
    IRBuilder<> B(S.Before->getTerminator());
    B.SetCurrentDebugLocation(
        Group.Requests.front().Parts.front().Access->getDebugLoc());
    Value *All = B.CreateMul(Count, B.getInt64(Group.Requests.size()));
    if (!Group.Next) {
      ami::aset(B, Handle.id(B), All);
      return;
    }
    Instruction *With, *Without;
    BasicBlock *Head = S.Before;
    SplitBlockAndInsertIfThenElse(Group.Next->Wanted, Head->getTerminator(),
                                  &With, &Without);
    S.Before = With->getSuccessor(0);
    addToBody(Head, {With->getParent(), Without->getParent(), S.Before});
    B.SetInsertPoint(With);
    ami::aset(B, Handle.id(B), B.CreateAdd(All, B.getInt64(1)));
    if (Group.Next->Known)
      B.CreateStore(Group.Next->Moved, Group.Next->Known);
    requestBlock(B, *Group.Next, S, {Handle, Words});
    B.SetInsertPoint(Without);
    if (!isa<ConstantInt>(All))
      ami::aset(B, Handle.id(B), All);
  }

  /// The requests of an opened group itself, those of the first iteration of a
  /// strip.
  void requestFirst(const AccessGroup &Group, const Suspension &S) {
    IRBuilder<> B(S.Before->getTerminator());
    requestEach(B, Group, S, /*Rarely=*/false)
        ->setMetadata(SwitchTag, MDNode::get(F.getContext(), {}));
  }

  /// The requests of the strip's first iteration, then those of the others.
  void issueStrip(const AccessGroup &Group, Suspension &S) {
    open(Group, S, Group.Strip->Count);
    requestFirst(Group, S);
    auto *Following =
        BasicBlock::Create(F.getContext(), "strip.request", &F, S.After);
    BasicBlock *Head = S.Before;
    S.Before = SplitBlock(Head, Head->getTerminator());
    addToBody(Head, {Following, S.Before});
    requestFollowing(Group, S, {Handle, Words}, Head, Following);
  }

  /// The code generator would make the constant anew for each request.
  Value *pageLimit(unsigned Bytes) {
    Value *&Limit = PageLimits[Bytes];
    if (!Limit) {
      IRBuilder<> B(Blocks.Init->getTerminator());
      Limit = keepInRegister(B, B.getInt64(Request::pageLimit(Bytes)));
    }
    return Limit;
  }

  /// Coarse requests; in the rare case that one would leave its page, a request
  /// for each access instead.
  void issueByPage(const AccessGroup &Group, Suspension &S) {
    IRBuilder<> B(S.Before->getTerminator());
    Value *Crosses = nullptr;
    for (const Request &R : Group.Requests) {
      if (!R.mayNeedPieces())
        continue;
      // The address word has the low bits of the address, and is needed anyway.
      Value *Word = Words.get(B, R.pointer(B), S, R.SizeLog2);
      Value *Over = Request::crossesPage(B, Word, pageLimit(R.bytes()));
      if (R.Alignment < R.neededAlignment())
        Over = B.CreateOr(Over, B.CreateIsNotNull(B.CreateAnd(
                                    Word, R.neededAlignment().value() - 1)));
      Crosses = Crosses ? B.CreateOr(Crosses, Over) : Over;
    }
    Instruction *Pieces, *Whole;
    BasicBlock *Head = S.Before;
    SplitBlockAndInsertIfThenElse(
        Crosses, Head->getTerminator(), &Pieces, &Whole,
        MDBuilder(F.getContext()).createBranchWeights(1, 1000));
    S.Before = Whole->getSuccessor(0);
    addToBody(Head, {Pieces->getParent(), Whole->getParent(), S.Before});
    IRBuilder<> AtWhole(Whole), AtPieces(Pieces);
    issueRequests(AtWhole, Group, S, /*Rarely=*/false);
    issueRequests(AtPieces, Group.separate(), S, /*Rarely=*/true);
  }

  /// The group that an iteration begins with is opened before, with as many
  /// requests as the stores it may have to complete make it.
  void openFirstGroup(IRBuilderBase &B) {
    if (FirstRequests)
      ami::aset(B, Handle.id(B), FirstRequests);
  }

  /// \returns true if nothing is left to do from \p BB to the end of the task.
  bool isEnd(const BasicBlock *BB) const {
    while (BB && BB != Blocks.Return && BB->sizeWithoutDebug() == 1)
      BB = BB->getSingleSuccessor();
    return BB == Blocks.Return;
  }

  /// While another iteration follows, it is launched at once, and its first
  /// requests complete the group of these stores. \returns false if the
  /// end of the task would open that group once more.
  bool issueCarried(const AccessGroup &Group, Suspension &S,
                    const Condition &More) {
    BasicBlock *Head = S.Before, *Resume = S.After;
    SmallVector<Instruction *, 4> Stores = Group.accesses();
    BasicBlock *Tail = SplitBlock(Resume, Stores.back()->getNextNode());
    addToBody(Resume, Tail);
    BasicBlock *Next = Group.Locked || isEnd(Tail) ? Blocks.Launch : Tail;
    if (FirstRequests && Next == Tail)
      return false;
    auto *Carry = BasicBlock::Create(F.getContext(), "carry", &F, Resume);
    auto *Wait = BasicBlock::Create(F.getContext(), "wait", &F, Resume);
    addToBody(Head, {Carry, Wait});
    IRBuilder<> B(Head->getTerminator());
    B.CreateCondBr(More(B, false), Carry, Wait, oftenFirst());
    Head->getTerminator()->eraseFromParent();

    B.SetInsertPoint(Carry);
    B.SetCurrentDebugLocation(Stores.front()->getDebugLoc());
    ami::aset(B, Handle.id(B),
              Group.Requests.size() + std::max(FirstRequests, 1u));
    requestEach(B, Group, S, /*Rarely=*/false);
    if (Group.Locked)
      B.CreateStore(Group.HeldLock, Group.Locked);
    B.CreateBr(Next);
    LaunchesAtStores |= Next == Blocks.Launch;

    B.SetInsertPoint(Wait);
    S.Before = Wait;
    issueRequests(B, Group, S, /*Rarely=*/true);
    B.CreateBr(Resume);
    return true;
  }

  /// The requests of \p Group, as one group of the AMU. Where it is rarely done
  /// no register is spent on constants.
  void issueRequests(IRBuilderBase &B, const AccessGroup &Group,
                     const Suspension &S, bool Rarely) {
    unsigned Count = Group.Requests.size();
    if (Count > 1 && !Group.CompletesCarried) {
      const Request &First = Group.Requests.front();
      B.SetCurrentDebugLocation(First.Parts.front().Access->getDebugLoc());
      ami::aset(B, Handle.id(B), Count);
    }
    requestEach(B, Group, S, Rarely)
        ->setMetadata(SwitchTag, MDNode::get(F.getContext(), {}));
  }

  /// \returns the last request of \p Group.
  CallInst *requestEach(IRBuilderBase &B, const AccessGroup &Group,
                        const Suspension &S, bool Rarely) {
    Value *Id = Handle.id(B);
    CallInst *Last = nullptr;
    for (const Request &R : Group.Requests) {
      B.SetCurrentDebugLocation(R.Parts.front().Access->getDebugLoc());
      Value *AddressWord =
          Rarely ? Words.computeHere(B, R.pointer(B), S, R.SizeLog2)
                 : Words.get(B, R.pointer(B), S, R.SizeLog2);
      Value *RequestWord = B.CreateAdd(
          Id, B.getInt64(uint64_t(R.SlotOffset) << ami::SlotOffsetShift));
      if (Group.RowPlace)
        RequestWord = B.CreateAdd(
            RequestWord, B.CreateShl(Group.RowPlace, ami::SlotOffsetShift));
      Last = R.isStore() ? ami::astore(B, AddressWord, RequestWord)
                         : ami::aload(B, AddressWord, RequestWord);
    }
    return Last;
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

  /// A task may start with a part of what another one has listed. \returns the
  /// block that decides.
  BasicBlock *growToShare(function_ref<BasicBlock *(const Twine &)> NewBlock) {
    BasicBlock *Look = NewBlock("idle.look"), *Grow = NewBlock("grow.share");
    Blocks.Ranges->look(Look, Grow, Blocks.Schedule);
    IRBuilder<> B(Grow);
    Handle.start(B, Live.add(B), handlerBase(), Stride);
    B.CreateBr(Blocks.Share);
    return Look;
  }

  void emitInit() {
    Value *FrameBase = handlerBase();
    IRBuilder<> B(Blocks.Init->getTerminator());
    Handle.configure(B, FrameBase, Stride);
    if (Branches)
      ami::aconfig(B, ami::TargetBase, Words.targetBase(B));
    Live.start(B);
    if (Blocks.Ranges)
      Blocks.Ranges->start(B);
    Handle.start(B, B.getInt64(1), FrameBase, Stride);
    openFirstGroup(B);
    B.CreateBr(Blocks.Launch);
    Blocks.Init->getTerminator()->eraseFromParent();
  }

  /// More iterations are launched than tasks end without a successor.
  MDNode *oftenFirst() const {
    return MDBuilder(F.getContext()).createBranchWeights(64, 1);
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
