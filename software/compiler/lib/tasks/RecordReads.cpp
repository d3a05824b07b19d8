// SPDX-License-Identifier: Apache-2.0

#include "tasks/RecordReads.h"
#include "common/Names.h"
#include "loop/Request.h"
#include "schedule/Variables.h"
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

/// Where an element of an array lies in the record: index times Stride behind Origin.
/// The address is in bounds, so that no other index leads to the same place.
struct Element {
  Value *Index;
  APInt Stride, Origin;
};

/// \returns nothing if \p Access is no element of an array at a known place.
std::optional<Element> elementOf(const Request &R, Instruction *Access) {
  auto *Gep = dyn_cast<GEPOperator>(accessPointer(Access));
  if (!Gep || !Gep->isInBounds())
    return std::nullopt;
  const DataLayout &DL = Access->getModule()->getDataLayout();
  const AccessPart &First = R.Parts.front();
  APInt Constant(64, 0), Above(64, 0), Below(64, 0);
  MapVector<Value *, APInt> Indices;
  if (!Gep->collectOffset(DL, 64, Indices, Constant) || Indices.size() != 1)
    return std::nullopt;
  auto [Index, Stride] = Indices.front();
  const Value *Array =
      Gep->getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(
          DL, Above);
  const Value *Base =
      accessPointer(First.Access)
          ->stripAndAccumulateInBoundsConstantOffsets(DL, Below);
  if (Array != Base || !Index->getType()->isIntegerTy(64) ||
      !Stride.isStrictlyPositive())
    return std::nullopt;
  // The record begins First.Offset bytes in front of its first access.
  return Element{Index, Stride, Constant + Above - Below + First.Offset};
}

/// \returns whether \p Access is in the slot, as a question about its index, which
/// needs no address.
Value *isHeld(IRBuilderBase &B, const Element &E, const HeldBytes &Held,
              Instruction *Access) {
  auto Divide = [&](int64_t Place, APInt::Rounding Rounding) {
    return APIntOps::RoundingSDiv(APInt(64, Place, true) - E.Origin, E.Stride,
                                  Rounding)
        .getSExtValue();
  };
  int64_t Lowest = Divide(Held.Begin, APInt::Rounding::UP);
  int64_t Highest =
      Divide(int64_t(Held.End) - accessBytes(Access), APInt::Rounding::DOWN);
  if (Lowest > Highest)
    return B.getFalse();
  return B.CreateICmpULT(B.CreateSub(E.Index, B.getInt64(Lowest)),
                         B.getInt64(Highest - Lowest + 1));
}

/// Reads what \p Access reads from the slot.
Value *readHeld(IRBuilderBase &B, const Request &R, LoadInst *Access,
                Scheduler &Sched) {
  std::optional<Element> E = elementOf(R, Access);
  int64_t Origin = E ? E->Origin.getSExtValue() : -1;
  // The code generator adds what does not change last.
  if (E && Origin >= 0)
    return Sched.readSlot(B, *Access, R.SlotOffset + Origin,
                          B.CreateMul(E->Index, B.getInt(E->Stride)));
  return Sched.readSlot(B, *Access, R.SlotOffset, placeOf(B, R, Access));
}

/// \returns whether the bytes of all accesses of \p Group are in the slot.
Value *isHeld(IRBuilderBase &B, const AccessGroup &Group, const Request &R) {
  const HeldBytes &Held = *Group.Held;
  Value *All = nullptr;
  auto Also = [&](Value *V) { All = All ? B.CreateAnd(All, V) : V; };
  for (Instruction *Access : Group.accesses()) {
    if (std::optional<Element> E = elementOf(R, Access)) {
      Also(isHeld(B, *E, Held, Access));
      continue;
    }
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
    Value *Found = readHeld(B, R, cast<LoadInst>(Access), Sched);
    PHINode *Phi = AtUse.CreatePHI(Access->getType(), 2, Access->getName());
    Access->replaceAllUsesWith(Phi);
    Phi->addIncoming(Found, Read);
    Phi->addIncoming(Access, Ask);
  }
  // The load shall stay where its address is known.
  keepEndApart(B);
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
