// SPDX-License-Identifier: Apache-2.0

#include "tasks/RecordReads.h"
#include "common/Names.h"
#include "loop/MemoryAccess.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

const Request &requestOf(const TaskLoop &T, unsigned Record) {
  return find_if(T.Groups,
                 [&](const AccessGroup &G) { return G.Record == Record; })
      ->Requests.front();
}

/// The place of \p Access in the record that \p R fetches.
Value *placeOf(IRBuilderBase &B, const Request &R, Instruction *Access) {
  return B.CreateSub(B.CreatePtrToInt(accessPointer(Access), B.getInt64Ty()),
                     B.CreatePtrToInt(R.pointer(B), B.getInt64Ty()));
}

/// \returns whether the bytes of all accesses of \p Group are in the slot.
Value *isHeld(IRBuilderBase &B, const AccessGroup &Group, const Request &R) {
  const HeldBytes &Held = *Group.Held;
  Value *All = nullptr;
  auto Also = [&](Value *V) { All = All ? B.CreateAnd(All, V) : V; };
  for (Instruction *Access : Group.accesses()) {
    Value *Place = placeOf(B, R, Access);
    Also(B.CreateICmpULT(
        B.CreateSub(Place, B.getInt64(Held.Begin)),
        B.getInt64(Held.End - Held.Begin - accessBytes(Access) + 1)));
  }
  if (Held.MayCross)
    Also(B.CreateNot(
        Request::crossesPage(B, B.CreatePtrToInt(R.pointer(B), B.getInt64Ty()),
                             B.getInt64(Request::pageLimit(R.bytes())))));
  return All;
}

void askIfMissing(TaskLoop &T, AccessGroup &Group, Scheduler &Sched) {
  const Request &R = requestOf(T, Group.Held->Record);
  SmallVector<Instruction *, 4> Accesses = Group.accesses();
  Instruction *First = Accesses.front();
  BasicBlock *Head = First->getParent();
  LLVMContext &Context = Head->getContext();
  BasicBlock *Ask = SplitBlock(Head, First);
  BasicBlock *Use = SplitBlock(Ask, Accesses.back()->getNextNode());
  Ask->setName("record.ask");
  auto *Read =
      BasicBlock::Create(Context, "record.read", Head->getParent(), Ask);
  T.Blocks.insert(std::next(find(T.Blocks, Head)), {Read, Ask, Use});

  IRBuilder<> B(Head->getTerminator());
  B.SetCurrentDebugLocation(First->getDebugLoc());
  B.CreateCondBr(isHeld(B, Group, R), Read, Ask,
                 MDBuilder(Context).createBranchWeights(1000, 1));
  Head->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Read);
  IRBuilder<> AtUse(Use, Use->begin());
  for (Instruction *Access : Accesses) {
    B.SetCurrentDebugLocation(Access->getDebugLoc());
    Value *Found = Sched.readSlot(B, *cast<LoadInst>(Access), R.SlotOffset,
                                  placeOf(B, R, Access));
    PHINode *Phi = AtUse.CreatePHI(Access->getType(), 2, Access->getName());
    Access->replaceAllUsesWith(Phi);
    Phi->addIncoming(Found, Read);
    Phi->addIncoming(Access, Ask);
  }
  B.CreateBr(Use);
}

} // namespace

unsigned asyncmem::readRecords(TaskLoop &T, Scheduler &Sched) {
  unsigned Reads = 0;
  for (const TaskRecord &Record : T.Records)
    for (const RecordField &Field : Record.Fields) {
      auto *Load = cast_or_null<LoadInst>(static_cast<Value *>(Field.Load));
      if (!Load)
        continue;
      IRBuilder<> B(Load);
      Load->replaceAllUsesWith(Sched.readSlot(B, *Load, Record.SlotOffset,
                                              B.getInt64(Field.Offset)));
      Load->eraseFromParent();
      ++Reads;
    }
  for (AccessGroup &Group : T.Groups)
    if (Group.Held)
      askIfMissing(T, Group, Sched);
  return Reads;
}
