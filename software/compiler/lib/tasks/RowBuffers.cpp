// SPDX-License-Identifier: Apache-2.0

#include "tasks/RowBuffers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// No block begins there.
constexpr uint64_t NoBlock = 1;

/// A variable for the address of the block, none when an iteration begins.
AllocaInst *createVariable(const TaskLoop &T) {
  BasicBlock &Entry = T.Header->getParent()->getEntryBlock();
  Type *Address = Type::getInt64Ty(Entry.getContext());
  auto *Block =
      new AllocaInst(Address, 0, "row", &*Entry.getFirstInsertionPt());
  IRBuilder<> B(T.Header, T.Header->getFirstInsertionPt());
  B.CreateStore(B.getInt64(NoBlock), Block);
  return Block;
}

/// The variable becomes a value: the loop is not yet part of the function again, so
/// that dominators would not help.
void promote(AllocaInst *Variable) {
  SmallVector<Instruction *, 8> Uses;
  for (User *U : Variable->users())
    Uses.push_back(cast<Instruction>(U));
  SSAUpdater Updater;
  LoadAndStorePromoter(Uses, Updater, Variable->getName()).run(Uses);
  Variable->eraseFromParent();
}

/// \returns where the group of \p Store begins: its accesses stay together.
Instruction *startOfGroup(const TaskLoop &T, StoreInst *Store) {
  for (const AccessGroup &Group : T.Groups) {
    SmallVector<Instruction *, 4> Accesses = Group.accesses();
    if (is_contained(Accesses, Store))
      return Accesses.front();
  }
  return Store;
}

/// What \p Store writes is not in the slot: its block is forgotten.
void forgetAt(TaskLoop &T, StoreInst *Store, AllocaInst *Block,
              unsigned BlockBytes) {
  Instruction *Position = startOfGroup(T, Store);
  IRBuilder<> B(Position);
  const DataLayout &DL = Store->getModule()->getDataLayout();
  uint64_t Before =
      DL.getTypeStoreSize(Store->getValueOperand()->getType()) - 1;
  Value *Address = B.CreatePtrToInt(Store->getPointerOperand(), B.getInt64Ty());
  Value *Known = B.CreateLoad(B.getInt64Ty(), Block);
  Value *Distance =
      B.CreateAdd(B.CreateSub(Address, Known), B.getInt64(Before));
  BasicBlock *Head = Position->getParent();
  Instruction *Forget = SplitBlockAndInsertIfThen(
      B.CreateICmpULT(Distance, B.getInt64(BlockBytes + Before)), Position,
      /*Unreachable=*/false,
      MDBuilder(Head->getContext()).createBranchWeights(1, 1000));
  T.Blocks.insert(std::next(find(T.Blocks, Head)),
                  {Forget->getParent(), Position->getParent()});
  B.SetInsertPoint(Forget);
  B.CreateStore(B.getInt64(NoBlock), Block);
}

void compareAt(TaskLoop &T, AccessGroup &Group, AllocaInst *Block) {
  Request &R = Group.Requests.front();
  auto *Load = cast<LoadInst>(R.Parts.front().Access);
  LLVMContext &Context = Load->getContext();
  BasicBlock *Head = Load->getParent();
  BasicBlock *Use = SplitBlock(Head, Load);
  BasicBlock *Fill =
      BasicBlock::Create(Context, "row.fill", Head->getParent(), Use);
  T.Blocks.insert(std::next(find(T.Blocks, Head)), {Fill, Use});

  IRBuilder<> B(Head->getTerminator());
  B.SetCurrentDebugLocation(Load->getDebugLoc());
  Value *Address = B.CreatePtrToInt(Load->getPointerOperand(), B.getInt64Ty());
  Value *Start = B.CreateAnd(Address, B.getInt64(-int64_t(R.bytes())));
  Value *Known = B.CreateLoad(B.getInt64Ty(), Block);
  Value *IsSame = B.CreateICmpEQ(Start, Known);
  B.CreateCondBr(IsSame, Use, Fill);
  Head->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Fill);
  R.Parts.front().Access = B.CreateAlignedLoad(
      B.getInt64Ty(), B.CreateIntToPtr(Start, B.getPtrTy()), R.Alignment);
  B.CreateStore(Start, Block);
  B.CreateBr(Use);
  Group.RowLoad = Load;
  Group.RowCheck = cast<ICmpInst>(IsSame);
}

} // namespace

void asyncmem::compareRows(TaskLoop &T) {
  SmallVector<AllocaInst *, 2> Blocks;
  for (const TaskRow &Row : T.Rows) {
    Blocks.push_back(createVariable(T));
    for (StoreInst *Store : Row.Stores)
      forgetAt(T, Store, Blocks.back(), Row.BlockBytes);
  }
  for (AccessGroup &Group : T.Groups)
    if (Group.Row)
      compareAt(T, Group, Blocks[*Group.Row]);
  for (AllocaInst *Block : Blocks)
    promote(Block);
}
