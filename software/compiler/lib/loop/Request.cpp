// SPDX-License-Identifier: Apache-2.0

#include "loop/Request.h"
#include "loop/MemoryAccess.h"

using namespace llvm;
using namespace asyncmem;

Value *Request::pointer(IRBuilderBase &B) const {
  assert(!Parts.empty() && "a request for nothing");
  const AccessPart &First = Parts.front();
  Value *Pointer = accessPointer(First.Access);
  if (!First.Offset)
    return Pointer;
  return B.CreateGEP(B.getInt8Ty(), Pointer,
                     B.getInt64(-int64_t(First.Offset)));
}

SmallVector<Instruction *, 4> AccessGroup::accesses() const {
  SmallVector<Instruction *, 4> All;
  for (const Request &R : Requests)
    for (const AccessPart &Part : R.Parts)
      All.push_back(Part.Access);
  sort(All, [](const Instruction *A, const Instruction *B) {
    return A->comesBefore(B);
  });
  return All;
}

unsigned AccessGroup::slotBytes() const {
  unsigned End = 0;
  for (const Request &R : Requests)
    End = std::max(End, R.SlotOffset + R.bytes());
  return End;
}

AccessGroup AccessGroup::separate() const {
  AccessGroup Result;
  for (const Request &R : Requests)
    for (const AccessPart &Part : R.Parts) {
      Request Piece;
      Piece.Parts.push_back({Part.Access, 0});
      Piece.UsedBytes = accessBytes(Part.Access);
      Piece.SizeLog2 = Log2_32(Piece.UsedBytes);
      Piece.SlotOffset = R.SlotOffset + Part.Offset;
      Piece.Alignment = accessAlignment(Part.Access);
      Result.Requests.push_back(std::move(Piece));
    }
  return Result;
}
