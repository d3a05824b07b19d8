// SPDX-License-Identifier: Apache-2.0
// Loads that read what the task has in its slot.
//
// 1. Rows (RowRequests.cpp): which block of memory a task has, and whether an element
//    lies in it; if not, it is requested.
// 2. Records (RecordRequests.cpp): fields are read at their place; of what may lie in a
//    record that is asked when the program runs.
//
//   x = row[j]  ->  if (line(&row[j]) != known) { aload(line); known = line; wait }
//                   x = slot[&row[j] & 63]

#include "tasks/SlotReads.h"
#include "common/MemoryVariables.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// A variable, with its value when an iteration begins.
AllocaInst *variableOfTask(const TaskLoop &T, const char *Name,
                           uint64_t First) {
  IRBuilder<> B(T.Header, T.Header->getFirstInsertionPt());
  AllocaInst *Variable =
      createVariable(*T.Header->getParent(), B.getInt64Ty(), Name);
  B.CreateStore(B.getInt64(First), Variable);
  return Variable;
}

/// \returns true if strips (StripBuffers.cpp) read the variables of row \p Number.
bool isRowOfStrip(const TaskLoop &T, unsigned Number) {
  return any_of(T.Groups, [&](const AccessGroup &Group) {
    auto IsElement = [&](const StripOperation &Operation) {
      return Operation.Row == Number;
    };
    return Group.Strip && (any_of(Group.Strip->Operations, IsElement) ||
                           any_of(Group.Strip->Beside, IsElement));
  });
}

/// What \p Store writes is not in the slot: its block is forgotten.
void forgetAt(TaskLoop &T, StoreInst *Store, const TaskRow &Row) {
  Instruction *Position = startOfGroup(T, Store);
  IRBuilder<> B(Position);
  const DataLayout &DL = Store->getModule()->getDataLayout();
  uint64_t Before =
      DL.getTypeStoreSize(Store->getValueOperand()->getType()) - 1;
  Value *Address = B.CreatePtrToInt(Store->getPointerOperand(), B.getInt64Ty());
  Value *Known = loadVariable(B, Row.Known);
  Value *Distance =
      B.CreateAdd(B.CreateSub(Address, Known), B.getInt64(Before));
  BasicBlock *Head = Position->getParent();
  Instruction *Forget = SplitBlockAndInsertIfThen(
      B.CreateICmpULT(Distance, B.getInt64(Row.slotBytes() + Before)), Position,
      /*Unreachable=*/false,
      MDBuilder(Head->getContext()).createBranchWeights(1, 1000));
  T.addBlocks(Head, {Forget->getParent(), Position->getParent()});
  B.SetInsertPoint(Forget);
  B.CreateStore(B.getInt64(NoBlock), Row.Known);
}

/// The block behind \p Start is requested with it if the inner loop goes on there.
void requestNext(IRBuilderBase &B, AccessGroup &Group, const TaskRow &Row,
                 Value *Address, Value *Start) {
  auto Element = find_if(Row.Strip->Operations, [&](const auto &Operation) {
    return Operation.Operation == Row.Loads.front();
  });
  Value *Last =
      B.CreateAdd(Address, B.CreateMul(loadVariable(B, Row.Strip->Left),
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
  T.addBlocks(Head, {Compare, Fill, Use});

  IRBuilder<> B(Head->getTerminator());
  B.SetCurrentDebugLocation(Load->getDebugLoc());
  // Inside a strip the task has the block: stores that make it forget that end
  // the strip.
  if (Row.Strip) {
    Value *Begins = B.CreateICmpEQ(loadVariable(B, Row.Strip->Begun),
                                   loadVariable(B, Row.Strip->All));
    Row.Strip->Tests.push_back(Begins);
    B.CreateCondBr(Begins, Compare, Use);
  } else {
    B.CreateBr(Compare);
  }
  Head->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Compare);
  Value *Address = B.CreatePtrToInt(Load->getPointerOperand(), B.getInt64Ty());
  Value *Start = B.CreateAnd(Address, B.getInt64(-int64_t(R.bytes())));
  Value *Known = loadVariable(B, Row.Known);
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
    Row.Known = variableOfTask(T, "row", NoBlock);
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
  T.addBlocks(Head, {Read, Ask, Use});

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
