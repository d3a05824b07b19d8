// SPDX-License-Identifier: Apache-2.0

#include "tasks/Slot.h"
#include "common/Names.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace asyncmem;

/// Replaces the loads of the strip by loads from the slot.
static void readStrip(TaskHandle &Handle, const AccessGroup &Group) {
  const Strip &Now = *Group.Strip;
  for (const StripLoad &Part : Now.Loads) {
    const Request &R = Group.Requests[Part.Request];
    unsigned Place = R.SlotOffset + Part.Offset;
    IRBuilder<> B(Part.Load);
    Value *Start = Handle.slot(B, Place);
    Value *Distance = B.CreateMul(Part.Index, B.getInt64(R.bytes()));
    Part.Load->replaceAllUsesWith(B.CreateAlignedLoad(
        Part.Load->getType(), B.CreateGEP(B.getInt8Ty(), Start, Distance),
        commonAlignment(Handle.slotAlignment(Place), R.bytes())));
    Part.Load->eraseFromParent();
  }
}

void SlotData::write(const AccessGroup &Group, const Suspension &S) {
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

void SlotData::read(const AccessGroup &Group) {
  for (const Request &R : Group.Requests)
    for (const AccessPart &Part : R.Parts) {
      unsigned Place = R.SlotOffset + Part.Offset;
      if (!R.isStore()) {
        IRBuilder<> B(Part.Access);
        Instruction *Read =
            B.CreateAlignedLoad(Part.Access->getType(), Handle.slot(B, Place),
                                Handle.slotAlignment(Place));
        Part.Access->replaceAllUsesWith(Read);
        Places[Read] = Place;
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

Value *SlotData::readAt(IRBuilderBase &B, const LoadInst &Load, unsigned Place,
                        Value *Offset) {
  return B.CreateAlignedLoad(
      Load.getType(), B.CreateGEP(B.getInt8Ty(), Handle.slot(B, Place), Offset),
      std::min(Load.getAlign(), Align(WordBytes)));
}

/// Replaces the load of a row's element by one from the block in the slot.
void SlotData::readRow(const AccessGroup &Group, LoadInst *Load) {
  const Request &R = Group.Requests.front();
  IRBuilder<> B(Load);
  Value *Address = B.CreatePtrToInt(Load->getPointerOperand(), B.getInt64Ty());
  readRowAt(Load, R, B.CreateAnd(Address, Group.Length * R.bytes() - 1));
}

void SlotData::readRowAt(LoadInst *Load, const Request &R, Value *Place) {
  IRBuilder<> B(Load);
  Load->replaceAllUsesWith(readAt(B, *Load, R.SlotOffset, Place));
  Load->eraseFromParent();
}

/// A block ends where a task waits, so what its loads found is there until its end.
std::optional<unsigned> SlotData::placeOf(const Request &R,
                                          const BasicBlock *Before) const {
  std::optional<unsigned> Place;
  unsigned Bytes = 0;
  for (const AccessPart &Part : R.Parts) {
    auto *Store = dyn_cast<StoreInst>(Part.Access);
    auto *Load = Store ? dyn_cast<LoadInst>(Store->getValueOperand()) : nullptr;
    auto At =
        Load && Load->getParent() == Before ? Places.find(Load) : Places.end();
    if (At == Places.end() || At->second < Part.Offset ||
        (Place && *Place != At->second - Part.Offset))
      return std::nullopt;
    Place = At->second - Part.Offset;
    Bytes +=
        Load->getModule()->getDataLayout().getTypeStoreSize(Load->getType());
  }
  if (Bytes != R.bytes() || !isAligned(R.neededAlignment(), *Place))
    return std::nullopt;
  return Place;
}

/// What else a word is needed for loads it where that is: the bytes stay in the
/// slot, so that no register must keep them.
static void loadLate(Instruction *Load) {
  for (Instruction *I = Load->getNextNode(); I; I = I->getNextNode())
    if (I->isTerminator() || is_contained(I->operands(), Load)) {
      Load->moveBefore(I);
      return;
    }
}

std::optional<AccessGroup> SlotData::inPlace(const AccessGroup &Group,
                                             const Suspension &S) const {
  // Into a carried store's slot the next iteration loads.
  if (Group.IsCarried)
    return std::nullopt;
  AccessGroup Moved = Group;
  for (Request &R : Moved.Requests) {
    std::optional<unsigned> Place = placeOf(R, S.Before);
    if (!Place)
      return std::nullopt;
    R.SlotOffset = *Place;
  }
  for (const Request &R : Moved.Requests)
    for (const AccessPart &Part : R.Parts)
      loadLate(
          cast<Instruction>(cast<StoreInst>(Part.Access)->getValueOperand()));
  return Moved;
}

static void append(Instruction &I, unsigned Kind, ArrayRef<Metadata *> Scopes) {
  MDNode *More = MDNode::get(I.getContext(), Scopes);
  I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), More));
}

void asyncmem::separateTaskMemory(ArrayRef<BasicBlock *> Blocks,
                                  ArrayRef<Instruction *> SlotAccesses) {
  MDBuilder Builder(Blocks.front()->getContext());
  MDNode *Domain = Builder.createAnonymousAliasScopeDomain("asyncmem");
  MDNode *Slot = Builder.createAnonymousAliasScope(Domain, "slot");
  MDNode *Frame = Builder.createAnonymousAliasScope(Domain, "frame");
  SmallPtrSet<Instruction *, 32> InSlot(SlotAccesses.begin(),
                                        SlotAccesses.end());
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      if (!isa<LoadInst, StoreInst>(I))
        continue;
      if (InSlot.contains(&I)) {
        append(I, LLVMContext::MD_alias_scope, {Slot});
        append(I, LLVMContext::MD_noalias, {Frame});
      } else if (I.hasMetadata(ContextTag)) {
        append(I, LLVMContext::MD_alias_scope, {Frame});
        append(I, LLVMContext::MD_noalias, {Slot});
      } else {
        append(I, LLVMContext::MD_noalias, {Slot, Frame});
      }
    }
}
