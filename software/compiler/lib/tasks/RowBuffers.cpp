// SPDX-License-Identifier: Apache-2.0

#include "tasks/RowBuffers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// A variable, with its value when an iteration begins.
AllocaInst *createVariable(const TaskLoop &T, const char *Name,
                           uint64_t First) {
  BasicBlock &Entry = T.Header->getParent()->getEntryBlock();
  Type *I64 = Type::getInt64Ty(Entry.getContext());
  auto *Variable = new AllocaInst(I64, 0, Name, &*Entry.getFirstInsertionPt());
  IRBuilder<> B(T.Header, T.Header->getFirstInsertionPt());
  B.CreateStore(B.getInt64(First), Variable);
  return Variable;
}

/// \returns true if strips (StripBuffers.h) read the variables of row \p Number.
bool isRowOfStrip(const TaskLoop &T, unsigned Number) {
  return any_of(T.Groups, [&](const AccessGroup &Group) {
    auto IsElement = [&](const StripOperation &Operation) {
      return Operation.Row == Number;
    };
    return Group.Strip && (any_of(Group.Strip->Operations, IsElement) ||
                           any_of(Group.Strip->Beside, IsElement));
  });
}

Value *load(IRBuilderBase &B, AllocaInst *Variable) {
  return B.CreateLoad(B.getInt64Ty(), Variable);
}

/// What \p Store writes is not in the slot: its block is forgotten.
void forgetAt(TaskLoop &T, StoreInst *Store, const TaskRow &Row) {
  Instruction *Position = startOfGroup(T, Store);
  IRBuilder<> B(Position);
  const DataLayout &DL = Store->getModule()->getDataLayout();
  uint64_t Before =
      DL.getTypeStoreSize(Store->getValueOperand()->getType()) - 1;
  Value *Address = B.CreatePtrToInt(Store->getPointerOperand(), B.getInt64Ty());
  Value *Known = load(B, Row.Known);
  Value *Distance =
      B.CreateAdd(B.CreateSub(Address, Known), B.getInt64(Before));
  BasicBlock *Head = Position->getParent();
  Instruction *Forget = SplitBlockAndInsertIfThen(
      B.CreateICmpULT(Distance, B.getInt64(Row.slotBytes() + Before)), Position,
      /*Unreachable=*/false,
      MDBuilder(Head->getContext()).createBranchWeights(1, 1000));
  T.Blocks.insert(std::next(find(T.Blocks, Head)),
                  {Forget->getParent(), Position->getParent()});
  B.SetInsertPoint(Forget);
  B.CreateStore(B.getInt64(NoBlock), Row.Known);
}

/// The block behind \p Start is requested with it if the inner loop goes on there.
void requestNext(IRBuilderBase &B, AccessGroup &Group, const TaskRow &Row,
                 Value *Address, Value *Start) {
  auto Element = find_if(Row.Strip->Operations, [&](const auto &Operation) {
    return Operation.Operation == Row.Loads.front();
  });
  Value *Last = B.CreateAdd(Address, B.CreateMul(load(B, Row.Strip->Left),
                                                 B.getInt64(Element->Step)));
  Value *Block = B.getInt64(Row.BlockBytes);
  Value *GoesOn = B.CreateICmpUGE(B.CreateSub(Last, Start), Block);
  Group.RowPlace = NextBlock::place(B, Start, Row.BlockBytes);
  Group.Next = {GoesOn,         B.CreateAdd(Start, Block),
                nullptr,        nullptr,
                Row.SlotOffset, Row.BlockBytes};
}

void compareAt(TaskLoop &T, AccessGroup &Group, const TaskRow &Row) {
  Request &R = Group.Requests.front();
  auto *Load = cast<LoadInst>(R.Parts.front().Access);
  Function &F = *T.Header->getParent();
  BasicBlock *Head = Load->getParent();
  BasicBlock *Use = SplitBlock(Head, Load);
  auto NewBlock = [&](const char *Name) {
    return BasicBlock::Create(F.getContext(), Name, &F, Use);
  };
  BasicBlock *Compare = NewBlock("row.compare"), *Fill = NewBlock("row.fill");
  T.Blocks.insert(std::next(find(T.Blocks, Head)), {Compare, Fill, Use});

  IRBuilder<> B(Head->getTerminator());
  B.SetCurrentDebugLocation(Load->getDebugLoc());
  // Inside a strip the task has the block: stores that make it forget that end
  // the strip.
  if (Row.Strip) {
    Value *Begins =
        B.CreateICmpEQ(load(B, Row.Strip->Begun), load(B, Row.Strip->All));
    Row.Strip->Tests.push_back(Begins);
    B.CreateCondBr(Begins, Compare, Use);
  } else {
    B.CreateBr(Compare);
  }
  Head->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Compare);
  Value *Address = B.CreatePtrToInt(Load->getPointerOperand(), B.getInt64Ty());
  Value *Start = B.CreateAnd(Address, B.getInt64(-int64_t(R.bytes())));
  Value *Known = load(B, Row.Known);
  Value *HasIt = Row.HasNext ? B.CreateICmpULT(B.CreateSub(Address, Known),
                                               B.getInt64(Row.slotBytes()))
                             : B.CreateICmpEQ(Start, Known);
  B.CreateCondBr(HasIt, Use, Fill);

  B.SetInsertPoint(Fill);
  if (Row.HasNext)
    requestNext(B, Group, Row, Address, Start);
  R.Parts.front().Access = B.CreateAlignedLoad(
      B.getInt64Ty(), B.CreateIntToPtr(Start, B.getPtrTy()), R.Alignment);
  B.CreateStore(Start, Row.Known);
  B.CreateBr(Use);
  Group.RowLoads.push_back(Load);
  Group.RowCheck = cast<ICmpInst>(HasIt);
}

} // namespace

void asyncmem::promote(AllocaInst *Variable) {
  SmallVector<Instruction *, 16> Accesses;
  for (User *U : Variable->users())
    Accesses.push_back(cast<Instruction>(U));
  SSAUpdater Updater;
  LoadAndStorePromoter(Accesses, Updater, Variable->getName()).run(Accesses);
  Variable->eraseFromParent();
}

Instruction *asyncmem::startOfGroup(const TaskLoop &T, Instruction *Access) {
  for (const AccessGroup &Group : T.Groups) {
    SmallVector<Instruction *, 4> Accesses = Group.accesses();
    if (is_contained(Accesses, Access))
      return Accesses.front();
  }
  return Access;
}

void asyncmem::compareRows(TaskLoop &T) {
  for (TaskRow &Row : T.Rows) {
    Row.Known = createVariable(T, "row", NoBlock);
    // What another run of the inner loop may read is not all there.
    if (Row.HasNext)
      new StoreInst(ConstantInt::get(Row.Known->getAllocatedType(), NoBlock),
                    Row.Known, Row.Strip->Repeats);
    for (StoreInst *Store : Row.Stores)
      forgetAt(T, Store, Row);
  }
  for (AccessGroup &Group : T.Groups)
    if (Group.Row)
      compareAt(T, Group, T.Rows[*Group.Row]);
  for (auto [Number, Row] : enumerate(T.Rows)) {
    if (isRowOfStrip(T, Number))
      T.PrivateMemory.push_back(Row.Known);
    else
      promote(Row.Known);
  }
}
