// SPDX-License-Identifier: Apache-2.0
// Dynamic schedulers on the AMU: getfin (polls an ID and jumps to the address
// its frame holds) and bafin (jumps to the target bound to the request).
//
// The handle names the current task: the ID for getfin, the task word for
// bafin. Frame, slot and ID are each computed from it by one or two
// operations where they are needed, so that data read from the slot depends on
// the instruction that took the finished group (contract, rule 6).

#include "asyncmem/Names.h"
#include "asyncmem/Scheduler.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Bits of the address word and the task word (contract, "Encoding").
constexpr unsigned AddressBits = 39;
constexpr unsigned SizeShift = 60;
/// A slot holds one access of at most 8 bytes.
constexpr unsigned SlotShift = 3;

enum AconfigRegister {
  HandlerBase,
  HandlerSize,
  SpmBaseRegister,
  SpmSlot,
  TargetBase
};

class AmuScheduler : public Scheduler {
public:
  AmuScheduler(const Options &Opts, unsigned Tasks, Function &F,
               const TaskBlocks &Blocks, Variables &Vars)
      : Scheduler(Opts, Tasks, F, Blocks, Vars),
        Branches(Opts.Scheduler == SchedulerKind::Bafin) {
    Type *I64 = Type::getInt64Ty(F.getContext());
    Handle = Vars.create(I64, "handle");
    Running = Vars.create(I64, "running");
    IRBuilder<> B(Blocks.Init);
    B.CreateUnreachable();
    B.SetInsertPoint(Blocks.Init->getTerminator());
    SpmBase = keepInRegister(B, B.getInt64(Opts.SpmBase));
    if (Branches)
      AddressMask = keepInRegister(B, B.getInt64(maskTrailingOnes<uint64_t>(
                                          AddressBits)));
  }

  bool suspendsAt(const Instruction &) const override { return true; }

  void issue(Instruction &Access, const Suspension &S) override {
    IRBuilder<> B(S.Before->getTerminator());
    B.SetCurrentDebugLocation(Access.getDebugLoc());
    Value *Pointer = getLoadStorePointerOperand(&Access);
    Type *Ty = getLoadStoreType(&Access);
    uint64_t Bytes = F.getParent()->getDataLayout().getTypeStoreSize(Ty);
    auto *Store = dyn_cast<StoreInst>(&Access);
    if (Store)
      B.CreateAlignedStore(Store->getValueOperand(), slot(B),
                           Align(1 << SlotShift));
    Value *AddressWord = addressWord(B, Pointer, S, Log2_64(Bytes));
    CallInst *Request = emitAsm(B, B.getVoidTy(),
                                Store ? ".insn r CUSTOM_0, 1, 0, x0, $0, $1"
                                      : ".insn r CUSTOM_0, 0, 0, x0, $0, $1",
                                "r,r,~{memory}", {AddressWord, id(B)});
    Request->setMetadata(SwitchTag, MDNode::get(F.getContext(), {}));
    if (!Store) {
      B.SetInsertPoint(&Access);
      Value *Data = B.CreateAlignedLoad(Ty, slot(B), Align(1 << SlotShift));
      Access.replaceAllUsesWith(Data);
    }
    Access.eraseFromParent();
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
    BasicBlock *Retire = NewBlock("retire");

    emitInit(Suspensions);
    if (!Branches)
      saveResumeAddress(Suspensions);
    cutSuspensions(Suspensions);
    emitSchedule(Suspensions, Idle);

    IRBuilder<> B(Idle);
    Value *Room =
        B.CreateICmpNE(keepInRegister(B, running(B)), B.getInt64(Tasks));
    B.CreateCondBr(Room, Check, Blocks.Schedule);

    B.SetInsertPoint(Check);
    B.CreateCondBr(More(B, true), Grow, Blocks.Schedule);

    B.SetInsertPoint(Grow);
    startHandler(B, B.CreateAdd(running(B), B.getInt64(1)));
    B.CreateBr(Blocks.Launch);

    B.SetInsertPoint(Blocks.Return);
    B.CreateCondBr(More(B, false), Blocks.Launch, Retire);

    B.SetInsertPoint(Retire);
    Value *Left = B.CreateSub(running(B), B.getInt64(1));
    B.CreateStore(Left, Running);
    B.CreateCondBr(B.CreateICmpEQ(Left, B.getInt64(0)), Blocks.Finalize,
                   Blocks.Schedule);
  }

private:
  bool Branches;
  AllocaInst *Handle;
  AllocaInst *Running;
  Value *SpmBase;
  Value *AddressMask = nullptr;
  Value *Base = nullptr;
  /// The block all resume targets are relative to: the first suspension's.
  BasicBlock *FirstTarget = nullptr;
  /// Constant part of the address word of each request.
  DenseMap<std::pair<BasicBlock *, unsigned>, Value *> RequestBits;
  /// The same with a fixed address added to it.
  DenseMap<std::pair<Value *, Value *>, Value *> FixedWords;

  CallInst *emitAsm(IRBuilderBase &B, Type *Result, StringRef Text,
                 StringRef Constraints, ArrayRef<Value *> Args) {
    SmallVector<Type *, 2> Types;
    for (Value *Arg : Args)
      Types.push_back(Arg->getType());
    auto *Ty = FunctionType::get(Result, Types, false);
    return B.CreateCall(
        InlineAsm::get(Ty, Text, Constraints, /*hasSideEffects=*/true), Args);
  }

  Value *handle(IRBuilderBase &B) {
    return B.CreateLoad(B.getInt64Ty(), Handle);
  }
  Value *running(IRBuilderBase &B) {
    return B.CreateLoad(B.getInt64Ty(), Running);
  }

  Value *id(IRBuilderBase &B) {
    return Branches ? B.CreateLShr(handle(B), AddressBits + SlotShift)
                    : handle(B);
  }

  Value *slot(IRBuilderBase &B) {
    Value *Offset = Branches ? B.CreateLShr(handle(B), AddressBits)
                             : B.CreateShl(handle(B), SlotShift);
    return B.CreateIntToPtr(B.CreateAdd(SpmBase, Offset), B.getPtrTy());
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
    BasicBlock *Target = Branches ? S.After : nullptr;
    Value *&Bits = RequestBits[{Target, SizeLog2}];
    if (Bits)
      return Bits;
    IRBuilder<> B(Blocks.Init->getTerminator());
    Value *Size = B.getInt64(uint64_t(SizeLog2) << SizeShift);
    if (Branches) {
      if (!FirstTarget)
        FirstTarget = Target;
      Value *Distance = B.CreateSub(blockAddress(B, Target),
                                    blockAddress(B, FirstTarget));
      // The distance counts bytes, the field units of two bytes.
      Value *Field = B.CreateShl(Distance, AddressBits - 1);
      Field = B.CreateAnd(Field, maskTrailingOnes<uint64_t>(SizeShift));
      Size = B.CreateOr(Field, Size);
    }
    return Bits = keepInRegister(B, Size);
  }

  Value *blockAddress(IRBuilderBase &B, BasicBlock *BB) {
    return B.CreatePtrToInt(BlockAddress::get(&F, BB), B.getInt64Ty());
  }

  /// Makes \p Id the current task and counts it as running.
  void startHandler(IRBuilderBase &B, Value *Id) {
    B.CreateStore(Id, Running);
    if (Branches) {
      Value *Address = B.CreateAdd(
          handlerBase(), B.CreateMul(Id, B.getInt64(Stride)));
      Id = B.CreateOr(Address, B.CreateShl(Id, AddressBits + SlotShift));
    }
    B.CreateStore(Id, Handle);
  }

  void configure(IRBuilderBase &B, AconfigRegister Register, Value *V) {
    emitAsm(B, B.getVoidTy(), ".insn r CUSTOM_0, 5, 0, x0, $0, $1",
            "r,r,~{memory}", {V, B.getInt64(Register)});
  }

  void emitInit(ArrayRef<Suspension> Suspensions) {
    Value *FrameBase = handlerBase();
    IRBuilder<> B(Blocks.Init->getTerminator());
    configure(B, HandlerBase, FrameBase);
    configure(B, HandlerSize, B.getInt64(Stride));
    configure(B, SpmBaseRegister, SpmBase);
    configure(B, SpmSlot, B.getInt64(1 << SlotShift));
    if (Branches)
      configure(B, TargetBase, blockAddress(B, FirstTarget));
    startHandler(B, B.getInt64(1));
    B.CreateBr(Blocks.Launch);
    Blocks.Init->getTerminator()->eraseFromParent();
  }

  void emitSchedule(ArrayRef<Suspension> Suspensions, BasicBlock *Idle) {
    IRBuilder<> B(Blocks.Schedule);
    if (!Branches) {
      Value *Id = emitAsm(B, B.getInt64Ty(), ".insn r CUSTOM_0, 2, 0, $0, x0, x0",
                          "=r,~{memory}", {});
      B.CreateStore(Id, Handle);
      BasicBlock *Dispatch = BasicBlock::Create(F.getContext(), "dispatch", &F,
                                                Idle);
      B.CreateCondBr(B.CreateICmpEQ(Id, B.getInt64(0)), Idle, Dispatch);
      B.SetInsertPoint(Dispatch);
      dispatch(B, Suspensions);
      return;
    }
    SmallVector<BasicBlock *, 8> Targets;
    std::string Constraints = "=r";
    for (const Suspension &S : Suspensions) {
      Targets.push_back(S.After);
      Constraints += ",!i";
    }
    Constraints += ",~{memory}";
    auto *Ty = FunctionType::get(B.getInt64Ty(), false);
    CallBrInst *Bafin = B.CreateCallBr(
        Ty,
        InlineAsm::get(Ty, ".insn r CUSTOM_0, 3, 0, $0, x0, x0", Constraints,
                       /*hasSideEffects=*/true),
        Idle, Targets);
    for (const Suspension &S : Suspensions) {
      B.SetInsertPoint(&*S.After->getFirstInsertionPt());
      B.CreateStore(Bafin, Handle);
    }
  }
};

} // namespace

std::unique_ptr<Scheduler>
asyncmem::createAmuScheduler(const Options &Opts, unsigned Tasks, Function &F,
                             const TaskBlocks &Blocks, Variables &Vars) {
  return std::make_unique<AmuScheduler>(Opts, Tasks, F, Blocks, Vars);
}
