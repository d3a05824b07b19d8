// SPDX-License-Identifier: Apache-2.0

#include "loop/Request.h"
#include "common/Names.h"
#include "common/Target.h"
#include "loop/MemoryAccess.h"

using namespace llvm;
using namespace asyncmem;

/// What \p R surely fetches, a request a word.
static void appendWords(const Request &R, AccessGroup &Pieces) {
  unsigned Bytes = R.neededAlignment().value();
  for (unsigned At = alignDown(R.SureBegin, Bytes); At < R.SureEnd;
       At += Bytes) {
    Request Piece;
    Piece.Parts.push_back(R.Parts.front());
    Piece.Skipped = At;
    Piece.UsedBytes = Bytes;
    Piece.SizeLog2 = Log2_32(Bytes);
    Piece.SlotOffset = R.SlotOffset + At;
    Piece.Alignment = R.neededAlignment();
    Pieces.Requests.push_back(std::move(Piece));
  }
}

Value *Request::pointer(IRBuilderBase &B) const {
  assert(!Parts.empty() && "a request for nothing");
  const AccessPart &First = Parts.front();
  Value *Pointer = accessPointer(First.Access);
  int64_t Distance = int64_t(Skipped) - First.Offset;
  return Distance ? B.CreateGEP(B.getInt8Ty(), Pointer, B.getInt64(Distance))
                  : Pointer;
}

static constexpr unsigned PlaceInPageShift = 64 - PageShift;

uint64_t Request::pageLimit(unsigned Bytes) {
  return ((uint64_t(1) << PageShift) - Bytes) << PlaceInPageShift;
}

/// The place in the page, in the highest bits: one shift, one comparison.
Value *Request::crossesPage(IRBuilderBase &B, Value *Address, Value *Limit) {
  return B.CreateICmpUGT(B.CreateShl(Address, PlaceInPageShift), Limit);
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
    End = std::max(End, R.SlotOffset + Length * R.bytes());
  return End;
}

AccessGroup AccessGroup::separate() const {
  AccessGroup Result;
  for (const Request &R : Requests) {
    if (R.SureEnd) {
      appendWords(R, Result);
      continue;
    }
    for (const AccessPart &Part : R.Parts) {
      Request Piece;
      Piece.Parts.push_back({Part.Access, 0});
      Piece.UsedBytes = accessBytes(Part.Access);
      Piece.SizeLog2 = Log2_32(Piece.UsedBytes);
      Piece.SlotOffset = R.SlotOffset + Part.Offset;
      Piece.Alignment = accessAlignment(Part.Access);
      Result.Requests.push_back(std::move(Piece));
    }
  }
  return Result;
}
