// SPDX-License-Identifier: Apache-2.0

#include "tasks/NestedTasks.h"
#include "transform/NestedLoops.h"
#include "transform/SunkAddresses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Iterations that a task takes at once. While iterations of the marked loop are
/// left the task of a long inner loop takes more of its own, and shorter ones are
/// not listed.
constexpr unsigned PartLength = 16, BusyPartLength = 64;
constexpr unsigned LeastSharedBusy = 128;

/// Other tasks' parts have an odd address.
constexpr uint64_t ForeignBit = 1;

} // namespace

BasicBlock *NestedTasks::newBlock(const Twine &Name, BasicBlock *After) {
  auto *BB = BasicBlock::Create(F.getContext(), "nested." + Name, &F,
                                After->getNextNode());
  T.Blocks.insert(std::next(find(T.Blocks, After)), BB);
  return BB;
}

AllocaInst *NestedTasks::variable(Type *Ty, const Twine &Name) {
  auto *New =
      new AllocaInst(Ty, 0, Name, &*F.getEntryBlock().getFirstInsertionPt());
  Local.push_back(New);
  return New;
}

/// Calls \p Use while there is a way from the function's begin to the tasks and an
/// end behind them, which the scheduler will make.
static void withEntry(TaskBlocks &Blocks, function_ref<void()> Use) {
  IRBuilder<> B(Blocks.Init);
  Instruction *Jump =
      B.CreateCondBr(PoisonValue::get(B.getInt1Ty()), Blocks.Launch,
                     Blocks.Share ? Blocks.Share : Blocks.Launch);
  Instruction *End = new UnreachableInst(Jump->getContext(), Blocks.Return);
  Use();
  End->eraseFromParent();
  Jump->eraseFromParent();
}

Value *NestedTasks::load(IRBuilderBase &B, AllocaInst *Variable) const {
  return B.CreateLoad(Variable->getAllocatedType(), Variable);
}

/// Values that were computed before the region: variables in it and behind it, as
/// another task comes there without them.
void NestedTasks::demote() {
  SmallVector<Instruction *, 16> Needed;
  SmallPtrSet<Instruction *, 8> Captured;
  for (BasicBlock *BB : T.Blocks)
    if (!Region.Blocks.contains(BB) && !Region.Behind.contains(BB))
      for (Instruction &I : *BB) {
        bool Reaches = false;
        for (const User *U : I.users()) {
          auto *At =
              const_cast<BasicBlock *>(cast<Instruction>(U)->getParent());
          if (Region.Blocks.contains(At))
            Captured.insert(&I);
          Reaches |= Region.Blocks.contains(At) || Region.Behind.contains(At);
        }
        if (Reaches)
          Needed.push_back(&I);
      }
  unsigned Field = RangeList::FirstValue;
  Instruction *Start = &*F.getEntryBlock().getFirstInsertionPt();
  for (Instruction *I : Needed) {
    AllocaInst *Variable = DemoteRegToStack(*I, /*VolatileLoads=*/false, Start);
    Local.push_back(Variable);
    if (Captured.contains(I))
      Captures.push_back({I, Field++, Variable});
  }
  for (Sum &S : Sums)
    S.Field = Field++;
}

/// Sums are variables where parts of the loop follow each other, and reach what is
/// behind it by a phi.
void NestedTasks::carrySums() {
  // Who computed from a sum how often a later loop repeats has made such a phi.
  FoldSingleEntryPHINodes(Region.Exit);
  for (const NestedReduction &R : T.Nested->Reductions) {
    Value *Last = R.Phi->getIncomingValueForBlock(Region.Latch);
    auto *AtExit =
        PHINode::Create(Last->getType(), 1, "", &Region.Exit->front());
    Last->replaceUsesWithIf(AtExit, [&](Use &U) {
      return !Region.Blocks.contains(
          cast<Instruction>(U.getUser())->getParent());
    });
    AtExit->addIncoming(Last, Region.Latch);
    AllocaInst *Variable = variable(R.Phi->getType(), "sum");
    Sums.push_back({0, Variable, AtExit});
    IRBuilder<> B(Region.Entry->getSinglePredecessor()->getTerminator());
    B.CreateStore(R.Phi->getIncomingValueForBlock(Region.Entry), Variable);
    B.SetInsertPoint(Region.Entry->getTerminator());
    R.Phi->setIncomingValueForBlock(Region.Entry, load(B, Variable));
  }
}

Value *NestedTasks::combine(IRBuilderBase &B, const NestedReduction &R,
                            Value *A, Value *Other) const {
  return R.Opcode ? B.CreateBinOp(Instruction::BinaryOps(R.Opcode), A, Other)
                  : B.CreateBinaryIntrinsic(R.Intrinsic, A, Other);
}

void NestedTasks::setRange(IRBuilderBase &B, Value *Begin, Value *End) {
  B.CreateStore(Begin, From);
  B.CreateStore(End, To);
}

/// Takes iterations from the end of what \p Record has left: at least one.
void NestedTasks::take(IRBuilderBase &B, Value *Record) {
  Value *Next = List->get(B, Record, RangeList::Next);
  Value *Limit = List->get(B, Record, RangeList::Limit);
  Value *Length = B.CreateBinaryIntrinsic(
      Intrinsic::umin, B.CreateSub(Limit, Next), B.getInt64(PartLength));
  Value *Begin = B.CreateSub(Limit, Length);
  List->set(B, Record, RangeList::Limit, Begin);
  setRange(B, Begin, Limit);
}

/// In front of the region: a short loop runs as a whole, of a long one all but
/// the first part is listed.
void NestedTasks::enter() {
  BasicBlock *Before = Region.Entry->getSinglePredecessor();
  BasicBlock *Whole = newBlock("whole", Before);
  BasicBlock *Divide = newBlock("divide", Before);
  IRBuilder<> B(Before->getTerminator());
  B.SetCurrentDebugLocation(Loc);
  Value *Busy = More(B, true);
  Value *Least = B.CreateSelect(Busy, B.getInt64(LeastSharedBusy),
                                B.getInt64(LeastShared));
  B.CreateCondBr(B.CreateICmpUGT(Count, Least), Divide, Whole,
                 MDBuilder(F.getContext()).createBranchWeights(1, 16));
  Before->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Whole);
  setRange(B, B.getInt64(0), Count);
  B.CreateStore(B.getInt64(0), Part);
  B.CreateBr(Region.Entry);

  B.SetInsertPoint(Divide);
  OwnId = cast<Instruction>(
      B.CreateFreeze(PoisonValue::get(B.getInt64Ty()), "nested.id"));
  Value *Record = List->record(B, OwnId);
  for (const Carried &C : Captures)
    List->set(B, Record, C.Field, load(B, C.Variable));
  for (auto [R, S] : zip(T.Nested->Reductions, Sums))
    List->set(B, Record, S.Field, R.Identity);
  Value *First =
      B.CreateSelect(Busy, B.getInt64(BusyPartLength), B.getInt64(PartLength));
  List->set(B, Record, RangeList::Next, First);
  List->set(B, Record, RangeList::Limit, Count);
  List->set(B, Record, RangeList::Parties, B.getInt64(1));
  List->set(B, Record, RangeList::Id, OwnId);
  List->publish(B, OwnId);
  setRange(B, B.getInt64(0), First);
  B.CreateStore(B.CreatePtrToInt(Record, B.getInt64Ty()), Part);
  B.CreateBr(Region.Entry);
}

/// Behind the region: the next part, or the end of the task that it is one of.
void NestedTasks::leave() {
  BasicBlock *Done = newBlock("done", Region.Latch);
  BasicBlock *After = newBlock("after", Done);
  BasicBlock *Ready = newBlock("ready", Done);
  Join.After = newBlock("resume", Done);
  Join.Before = newBlock("wait", Done);
  BasicBlock *OwnEnd = newBlock("own.end", Done);
  BasicBlock *OwnNext = newBlock("own.next", Done);
  BasicBlock *Own = newBlock("own", Done);
  BasicBlock *Last = newBlock("last", Done);
  BasicBlock *PartEnd = newBlock("part.end", Done);
  BasicBlock *PartNext = newBlock("part.next", Done);
  BasicBlock *Foreign = newBlock("part", Done);
  BasicBlock *Shared = newBlock("shared", Done);

  Region.Latch->getTerminator()->replaceSuccessorWith(Region.Exit, Done);
  IRBuilder<> B(Done);
  B.SetCurrentDebugLocation(Loc);
  for (auto [R, S] : zip(T.Nested->Reductions, Sums))
    B.CreateStore(R.Phi->getIncomingValueForBlock(Region.Latch), S.Variable);
  Value *PartOf = load(B, Part);
  B.CreateCondBr(B.CreateIsNull(PartOf), After, Shared,
                 MDBuilder(F.getContext()).createBranchWeights(1000, 1));

  B.SetInsertPoint(Shared);
  Value *IsForeign = B.CreateIsNotNull(B.CreateAnd(PartOf, ForeignBit));
  Value *Record = B.CreateIntToPtr(B.CreateAnd(PartOf, ~ForeignBit),
                                   B.getPtrTy(), "nested.record");
  Value *Next = List->get(B, Record, RangeList::Next);
  Value *Limit = List->get(B, Record, RangeList::Limit);
  Value *IsLeft = B.CreateICmpULT(Next, Limit);
  B.CreateCondBr(IsForeign, Foreign, Own);

  B.SetInsertPoint(Own);
  B.CreateCondBr(IsLeft, OwnNext, OwnEnd);
  B.SetInsertPoint(OwnNext);
  Value *Length = B.CreateSelect(More(B, true), B.getInt64(BusyPartLength),
                                 B.getInt64(PartLength));
  Value *End =
      B.CreateAdd(Next, B.CreateBinaryIntrinsic(
                            Intrinsic::umin, B.CreateSub(Limit, Next), Length));
  List->set(B, Record, RangeList::Next, End);
  setRange(B, Next, End);
  B.CreateBr(Region.Entry);

  auto LeaveRange = [&] {
    Value *Left =
        B.CreateSub(List->get(B, Record, RangeList::Parties), B.getInt64(1));
    List->set(B, Record, RangeList::Parties, Left);
    return B.CreateIsNull(Left);
  };
  B.SetInsertPoint(OwnEnd);
  B.CreateCondBr(LeaveRange(), Ready, Join.Before);
  B.SetInsertPoint(Join.Before);
  B.CreateBr(Join.After);
  B.SetInsertPoint(Join.After);
  B.CreateBr(Ready);
  B.SetInsertPoint(Ready);
  for (auto [R, S] : zip(T.Nested->Reductions, Sums))
    B.CreateStore(
        combine(B, R, load(B, S.Variable), List->get(B, Record, S.Field)),
        S.Variable);
  B.CreateBr(After);

  B.SetInsertPoint(Foreign);
  B.CreateCondBr(IsLeft, PartNext, PartEnd);
  B.SetInsertPoint(PartNext);
  take(B, Record);
  B.CreateBr(Region.Entry);
  B.SetInsertPoint(PartEnd);
  for (auto [R, S] : zip(T.Nested->Reductions, Sums))
    List->set(
        B, Record, S.Field,
        combine(B, R, List->get(B, Record, S.Field), load(B, S.Variable)));
  B.CreateCondBr(LeaveRange(), Last, Blocks.Return);
  B.SetInsertPoint(Last);
  Sleeper = List->get(B, Record, RangeList::Id);
  Wake = B.CreateBr(Blocks.Return);

  B.SetInsertPoint(After);
  for (const Sum &S : Sums) {
    S.AtExit->setIncomingValue(0, load(B, S.Variable));
    S.AtExit->setIncomingBlock(0, After);
  }
  assert(all_of(Region.Exit->phis(),
                [&](const PHINode &Phi) {
                  return Phi.getIncomingBlock(0) == After;
                }) &&
         "nothing but sums is handed to what is behind");
  B.CreateBr(Region.Exit);
}

/// A task starts with an iteration, or with a part of what is listed.
void NestedTasks::startTasks() {
  Type *I64 = Type::getInt64Ty(F.getContext());
  Taken = Vars.create(I64, "nested.taken");
  auto NewBlock = [&](const char *Name) {
    return BasicBlock::Create(F.getContext(), Name, &F, T.Header);
  };
  BasicBlock *Launched = NewBlock("nested.launched");
  BasicBlock *Start = NewBlock("nested.start");
  BasicBlock *Begin = NewBlock("nested.begin");
  Blocks.Share = NewBlock("asyncmem.share");
  for (BasicBlock *Before :
       SmallVector<BasicBlock *, 4>(predecessors(T.Header)))
    Before->getTerminator()->replaceSuccessorWith(T.Header, Launched);
  T.Blocks.insert(T.Blocks.begin(), {Start, Begin});

  IRBuilder<> B(Launched);
  B.SetCurrentDebugLocation(Loc);
  B.CreateStore(B.getInt64(0), Taken);
  B.CreateBr(Start);

  B.SetInsertPoint(Blocks.Share);
  Value *Record = List->top(B);
  List->set(
      B, Record, RangeList::Parties,
      B.CreateAdd(List->get(B, Record, RangeList::Parties), B.getInt64(1)));
  B.CreateStore(B.CreatePtrToInt(Record, I64), Taken);
  B.CreateBr(Start);

  B.SetInsertPoint(Start);
  Value *Of = B.CreateLoad(I64, Taken);
  B.CreateCondBr(B.CreateIsNull(Of), T.Header, Begin);

  B.SetInsertPoint(Begin);
  Record = B.CreateIntToPtr(Of, B.getPtrTy());
  for (const Carried &C : Captures)
    B.CreateStore(List->get(B, Record, C.Field), C.Variable);
  for (auto [R, S] : zip(T.Nested->Reductions, Sums))
    B.CreateStore(R.Identity, S.Variable);
  take(B, Record);
  B.CreateStore(B.CreateOr(Of, ForeignBit), Part);
  B.CreateBr(Region.Entry);
  T.Header = Start;
}

bool NestedTasks::build(unsigned Tasks, Refusal &No) {
  if (Tasks < 2)
    return refuse(No, "there is one task", nullptr);
  DominatorTree DT;
  LoopInfo LI;
  withEntry(Blocks, [&] {
    DT.recalculate(F);
    LI.analyze(DT);
  });
  std::optional<NestedRegion> Found =
      findNestedRegion(T, LI.getLoopFor(T.Nested->Header), No);
  if (!Found)
    return false;
  Region = std::move(*Found);
  // No address in one frame reaches a task with another one.
  sinkAddresses(T.PrivateMemory);
  Loc = T.Nested->Begin->getDebugLoc();
  // What stands in the entry's block before the range belongs to the iteration.
  BasicBlock *Before = Region.Entry;
  Region.Entry = SplitBlock(Before, T.Nested->Begin);
  T.Blocks.insert(std::next(find(T.Blocks, Before)), Region.Entry);
  Region.Blocks.remove(Before);
  Region.Blocks.insert(Region.Entry);

  // The range's end is known where that begins.
  Count = T.Nested->End->getArgOperand(0);
  T.Nested->End->setArgOperand(0, T.Nested->Begin->getArgOperand(0));
  carrySums();
  demote();
  SmallVector<Type *, 12> Types;
  for (const Carried &C : Captures)
    Types.push_back(C.Value->getType());
  for (const NestedReduction &R : T.Nested->Reductions)
    Types.push_back(R.Phi->getType());
  List = std::make_shared<RangeList>(F, Tasks, Types);
  Type *I64 = Type::getInt64Ty(F.getContext());
  From = variable(I64, "range.begin");
  To = variable(I64, "range.end");
  Part = variable(I64, "range.part");
  enter();
  leave();
  startTasks();
  for (auto [Call, Variable] :
       {std::pair(T.Nested->Begin, From), std::pair(T.Nested->End, To)}) {
    IRBuilder<> B(Call);
    Call->replaceAllUsesWith(load(B, Variable));
    Call->eraseFromParent();
  }
  T.Nested->Begin = T.Nested->End = nullptr;
  withEntry(Blocks, [&] {
    DominatorTree DT(F);
    PromoteMemToReg(Local, DT);
  });
  Blocks.Ranges = List;
  return true;
}

Suspension NestedTasks::connect(Scheduler &Sched) {
  IRBuilder<> B(OwnId);
  OwnId->replaceAllUsesWith(Sched.taskId(B));
  OwnId->eraseFromParent();
  B.SetInsertPoint(Wake);
  Sched.wake(B, Sleeper);
  Sched.sleep(Join);
  return Join;
}
