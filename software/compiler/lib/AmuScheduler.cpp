// SPDX-License-Identifier: Apache-2.0
// Dynamic schedulers on the AMU: getfin (polls an ID and jumps to the address
// its frame holds) and bafin (jumps to the target bound to the request).
//
// The handle names the current task: the ID for getfin, the task word for
// bafin. Frame, slot and ID are each computed from it by one or two
// operations where they are needed, so that data read from the slot depends on
// the instruction that took the finished group (contract, rule 6).

#include "asyncmem/AmuInstructions.h"
#include "asyncmem/LiveTasks.h"
#include "asyncmem/LockQueue.h"
#include "asyncmem/Names.h"
#include "asyncmem/Scheduler.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class AmuScheduler : public Scheduler {
public:
  AmuScheduler(const Options &Opts, unsigned Tasks, Function &F,
               const TaskBlocks &Blocks, Variables &Vars, unsigned SlotBytes)
      : Scheduler(Opts, Tasks, F, Blocks, Vars),
        Branches(Opts.Scheduler == SchedulerKind::Bafin),
        SlotShift(Log2_32(SlotBytes)),
        Live(F, Vars, Tasks, Opts.AdaptTasks) {
    Type *I64 = Type::getInt64Ty(F.getContext());
    Handle = Vars.create(I64, "handle");
    IRBuilder<> B(Blocks.Init);
    B.CreateUnreachable();
    B.SetInsertPoint(Blocks.Init->getTerminator());
    SpmBase = keepInRegister(B, B.getInt64(Opts.SpmBase));
    if (Branches)
      AddressMask = keepInRegister(B, B.getInt64(maskTrailingOnes<uint64_t>(
                                          ami::AddressBits)));
  }

  void issue(const AccessGroup &Group, Suspension &S) override {
    writeSlot(Group, S);
    if (Group.mayCrossPage()) {
      issueByPage(Group, S);
    } else {
      IRBuilder<> B(S.Before->getTerminator());
      issueRequests(B, Group, S, /*Rarely=*/false);
    }
    readSlot(Group);
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
    Queue.append(B, id(B));
    ami::await(B, computeRequestBits(B, S, 0), id(B));
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
    addToBody(Head, {Release->getParent(), Wake->getParent(), Call->getParent()});
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

  /// getfin turns an ID into an address by a shift.
  unsigned frameStride(unsigned FrameBytes) const override {
    return Branches ? FrameBytes : PowerOf2Ceil(FrameBytes);
  }

  Value *frame(IRBuilderBase &B) override {
    Value *H = handle(B);
    if (Branches)
      return B.CreateIntToPtr(B.CreateAnd(H, AddressMask), B.getPtrTy());
    Value *Offset = B.CreateShl(H, Log2_64(Stride));
    return B.CreateIntToPtr(B.CreateAdd(handlerBase(), Offset), B.getPtrTy());
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

    emitInit(Suspensions);
    if (!Branches)
      saveResumeAddress(Suspensions);
    cutSuspensions(Suspensions);
    emitSchedule(Suspensions, Idle);

    IRBuilder<> B(Idle);
    B.CreateCondBr(Live.pollFailed(B), Check, Blocks.Schedule);

    B.SetInsertPoint(Check);
    B.CreateCondBr(More(B, true), Grow, Blocks.Schedule);

    B.SetInsertPoint(Grow);
    startHandler(B, Live.add(B));
    B.CreateBr(Blocks.Launch);

    if (Live.shrinks())
      Replace = emitShrinking(NewBlock);
    B.SetInsertPoint(Blocks.Return);
    B.CreateCondBr(More(B, false), Replace, Retire);

    B.SetInsertPoint(Retire);
    B.CreateCondBr(B.CreateIsNull(Live.end(B)), Blocks.Finalize,
                   Blocks.Schedule);
  }

private:
  bool Branches;
  unsigned SlotShift;
  AllocaInst *Handle;
  LiveTasks Live;
  Value *SpmBase;
  Value *AddressMask = nullptr;
  Value *Base = nullptr;
  /// The block all resume targets are relative to: the first suspension's.
  BasicBlock *FirstTarget = nullptr;
  /// Task that waits behind each waiting task, by ID.
  AllocaInst *NextWaiter = nullptr;
  /// Constant part of the address word of each request.
  DenseMap<std::pair<BasicBlock *, unsigned>, Value *> RequestBits;
  /// The same with a fixed address added to it.
  DenseMap<std::pair<Value *, Value *>, Value *> FixedWords;

  Value *handle(IRBuilderBase &B) {
    return B.CreateLoad(B.getInt64Ty(), Handle);
  }

  Value *id(IRBuilderBase &B) {
    return Branches ? B.CreateLShr(handle(B), ami::AddressBits + SlotShift)
                    : handle(B);
  }

  AllocaInst *waiters() {
    if (!NextWaiter)
      NextWaiter = new AllocaInst(
          ArrayType::get(Type::getInt16Ty(F.getContext()), Tasks + 1), 0,
          "waiters", &*F.getEntryBlock().getFirstInsertionPt());
    return NextWaiter;
  }

  /// Address \p Bytes behind the start of the task's slot.
  Value *slot(IRBuilderBase &B, unsigned Bytes) {
    Value *Offset = Branches ? B.CreateLShr(handle(B), ami::AddressBits)
                             : B.CreateShl(handle(B), SlotShift);
    Value *Start = B.CreateIntToPtr(B.CreateAdd(SpmBase, Offset), B.getPtrTy());
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start, Bytes);
  }

  Align slotAlignment(unsigned Bytes) const {
    return commonAlignment(Align(uint64_t(1) << SlotShift), Bytes);
  }

  /// Puts the data of the group's stores into the slot.
  void writeSlot(const AccessGroup &Group, const Suspension &S) {
    IRBuilder<> B(S.Before->getTerminator());
    for (const Request &R : Group.Requests)
      for (const AccessPart &Part : R.Parts)
        if (auto *Store = dyn_cast<StoreInst>(Part.Access)) {
          unsigned Place = R.SlotOffset + Part.Offset;
          B.SetCurrentDebugLocation(Store->getDebugLoc());
          B.CreateAlignedStore(Store->getValueOperand(), slot(B, Place),
                               slotAlignment(Place));
        }
  }

  /// Replaces the group's accesses by loads from the slot.
  void readSlot(const AccessGroup &Group) {
    for (const Request &R : Group.Requests)
      for (const AccessPart &Part : R.Parts) {
        unsigned Place = R.SlotOffset + Part.Offset;
        if (!R.isStore()) {
          IRBuilder<> B(Part.Access);
          Part.Access->replaceAllUsesWith(B.CreateAlignedLoad(
              Part.Access->getType(), slot(B, Place), slotAlignment(Place)));
        }
      }
    for (Instruction *Access : Group.accesses())
      Access->eraseFromParent();
  }

  /// Coarse requests; in the rare case that one would leave its page, a request
  /// for each access instead.
  void issueByPage(const AccessGroup &Group, Suspension &S) {
    IRBuilder<> B(S.Before->getTerminator());
    Value *Crosses = nullptr;
    // The place in the page, in the highest bits: one shift, one comparison.
    constexpr unsigned Shift = 64 - PageShift;
    for (const Request &R : Group.Requests) {
      if (!R.mayCrossPage())
        continue;
      Value *Place =
          B.CreateShl(B.CreatePtrToInt(R.pointer(B), B.getInt64Ty()), Shift);
      Value *Over = B.CreateICmpUGT(
          Place, B.getInt64(((uint64_t(1) << PageShift) - R.bytes()) << Shift));
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

  /// The requests of \p Group, as one group of the AMU. Where it is rarely done
  /// no register is spent on constants.
  void issueRequests(IRBuilderBase &B, const AccessGroup &Group,
                     const Suspension &S, bool Rarely) {
    auto SetLocation = [&](const Request &R) {
      B.SetCurrentDebugLocation(R.Parts.front().Access->getDebugLoc());
    };
    SetLocation(Group.Requests.front());
    Value *Id = id(B);
    if (Group.Requests.size() > 1)
      ami::aset(B, Id, Group.Requests.size());
    CallInst *Last = nullptr;
    for (const Request &R : Group.Requests) {
      SetLocation(R);
      Value *AddressWord =
          Rarely ? B.CreateAdd(B.CreatePtrToInt(R.pointer(B), B.getInt64Ty()),
                               computeRequestBits(B, S, R.SizeLog2))
                 : addressWord(B, R.pointer(B), S, R.SizeLog2);
      Value *RequestWord = B.CreateAdd(
          Id, B.getInt64(uint64_t(R.SlotOffset) << ami::SlotOffsetShift));
      Last = R.isStore() ? ami::astore(B, AddressWord, RequestWord)
                         : ami::aload(B, AddressWord, RequestWord);
    }
    Last->setMetadata(SwitchTag, MDNode::get(F.getContext(), {}));
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

  /// Address, size and resume target. What does not change from task to task
  /// is added up in Init.
  Value *addressWord(IRBuilderBase &B, Value *Pointer, const Suspension &S,
                     unsigned SizeLog2) {
    Value *Bits = requestBits(S, SizeLog2);
    auto *Gep = dyn_cast<GetElementPtrInst>(Pointer);
    bool FixedBase = Gep && isDefinedBeforeInit(Gep->getPointerOperand());
    Value *Base = FixedBase ? Gep->getPointerOperand() : Pointer;
    if (FixedBase || isDefinedBeforeInit(Pointer)) {
      Value *&Sum = FixedWords[{Base, Bits}];
      if (!Sum) {
        IRBuilder<> Init(Blocks.Init->getTerminator());
        Value *Start = Init.CreatePtrToInt(Base, Init.getInt64Ty());
        Sum = keepInRegister(Init, Init.CreateAdd(Start, Bits));
      }
      return FixedBase
                 ? B.CreateAdd(Sum, emitGEPOffset(
                                        &B, F.getParent()->getDataLayout(), Gep,
                                        /*NoAssumptions=*/true))
                 : Sum;
    }
    return B.CreateAdd(B.CreatePtrToInt(Base, B.getInt64Ty()), Bits);
  }

  bool isDefinedBeforeInit(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return !I || !is_contained(*Blocks.Body, I->getParent());
  }

  /// Size and resume target of a request, in place in the address word.
  Value *requestBits(const Suspension &S, unsigned SizeLog2) {
    Value *&Bits = RequestBits[{Branches ? S.After : nullptr, SizeLog2}];
    if (!Bits) {
      IRBuilder<> B(Blocks.Init->getTerminator());
      Bits = keepInRegister(B, computeRequestBits(B, S, SizeLog2));
    }
    return Bits;
  }

  Value *computeRequestBits(IRBuilderBase &B, const Suspension &S,
                            unsigned SizeLog2) {
    Value *Size = B.getInt64(uint64_t(SizeLog2) << ami::SizeShift);
    if (!Branches)
      return Size;
    if (!FirstTarget)
      FirstTarget = S.After;
    Value *Distance = B.CreateSub(blockAddress(B, S.After),
                                  blockAddress(B, FirstTarget));
    // The distance counts bytes, the field units of two bytes.
    Value *Field = B.CreateShl(Distance, ami::AddressBits - 1);
    Field = B.CreateAnd(Field, maskTrailingOnes<uint64_t>(ami::SizeShift));
    return B.CreateOr(Field, Size);
  }

  Value *blockAddress(IRBuilderBase &B, BasicBlock *BB) {
    return B.CreatePtrToInt(BlockAddress::get(&F, BB), B.getInt64Ty());
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
    Live.remove(B, id(B));
    B.CreateBr(Blocks.Schedule);
    B.SetInsertPoint(Keep);
    Live.keep(B);
    B.CreateBr(Blocks.Launch);
    return Replace;
  }

  /// Makes \p Id the current task.
  void startHandler(IRBuilderBase &B, Value *Id) {
    if (Branches) {
      Value *Address = B.CreateAdd(
          handlerBase(), B.CreateMul(Id, B.getInt64(Stride)));
      Id = B.CreateOr(Address, B.CreateShl(Id, ami::AddressBits + SlotShift));
    }
    B.CreateStore(Id, Handle);
  }

  void emitInit(ArrayRef<Suspension> Suspensions) {
    Value *FrameBase = handlerBase();
    IRBuilder<> B(Blocks.Init->getTerminator());
    ami::aconfig(B, ami::HandlerBase, FrameBase);
    ami::aconfig(B, ami::HandlerSize, B.getInt64(Stride));
    ami::aconfig(B, ami::SpmBase, SpmBase);
    ami::aconfig(B, ami::SpmSlot, B.getInt64(uint64_t(1) << SlotShift));
    if (Branches)
      ami::aconfig(B, ami::TargetBase, blockAddress(B, FirstTarget));
    Live.start(B);
    startHandler(B, B.getInt64(1));
    B.CreateBr(Blocks.Launch);
    Blocks.Init->getTerminator()->eraseFromParent();
  }

  void emitSchedule(ArrayRef<Suspension> Suspensions, BasicBlock *Idle) {
    IRBuilder<> B(Blocks.Schedule);
    if (!Branches) {
      Value *Id = ami::getfin(B);
      B.CreateStore(Id, Handle);
      BasicBlock *Dispatch = BasicBlock::Create(F.getContext(), "dispatch", &F,
                                                Idle);
      B.CreateCondBr(B.CreateICmpEQ(Id, B.getInt64(0)), Idle, Dispatch);
      B.SetInsertPoint(Dispatch);
      dispatch(B, Suspensions);
      return;
    }
    SmallVector<BasicBlock *, 8> Targets;
    for (const Suspension &S : Suspensions)
      Targets.push_back(S.After);
    CallBrInst *Bafin = ami::bafin(B, Idle, Targets);
    for (const Suspension &S : Suspensions) {
      B.SetInsertPoint(&*S.After->getFirstInsertionPt());
      ami::resumePoint(B);
      B.CreateStore(Bafin, Handle);
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
