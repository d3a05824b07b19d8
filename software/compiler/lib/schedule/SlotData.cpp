// SPDX-License-Identifier: Apache-2.0

#include "schedule/SlotData.h"
#include "schedule/StripIssue.h"

using namespace llvm;
using namespace asyncmem;

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
