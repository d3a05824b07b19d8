// SPDX-License-Identifier: Apache-2.0

#include "requests/NearLines.h"
#include "common/Target.h"
#include "common/Request.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;
using namespace asyncmem::cost;

namespace {

constexpr unsigned MaxDepth = 8;

bool isKnown(const Value *V, const Loop &L, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (isa<PHINode>(I))
    return I->getParent() == L.getHeader();
  return Depth && isa<GetElementPtrInst, CastInst, BinaryOperator>(I) &&
         !I->isIntDivRem() && all_of(I->operands(), [&](const Value *Operand) {
           return isKnown(Operand, L, Depth - 1);
         });
}

} // namespace

bool asyncmem::isKnownAtEntry(const Value *V, const Loop &L) {
  return isKnown(V, L, MaxDepth);
}

/// \returns that value, computed at the end of the preheader of \p L.
static Value *computeAtEntry(Value *V, const Loop &L) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getIncomingValueForBlock(L.getLoopPreheader());
  Instruction *Copy = I->clone();
  for (Use &Operand : Copy->operands())
    Operand.set(computeAtEntry(Operand, L));
  Copy->dropPoisonGeneratingFlags();
  Copy->insertBefore(L.getLoopPreheader()->getTerminator());
  return Copy;
}

// The prefetches of a plan (NearLines.cpp), put into the loop.

static CallInst *prefetch(IRBuilder<> &B, Value *Pointer, int64_t Offset,
                          bool ForStore = false) {
  return B.CreateIntrinsic(
      Intrinsic::prefetch, {Pointer->getType()},
      {Offset ? B.CreateGEP(B.getInt8Ty(), Pointer, B.getInt64(Offset))
              : Pointer,
       B.getInt32(ForStore), B.getInt32(HighLocality), B.getInt32(DataCache)});
}

/// The task waits at \p Row.Entry for the line at \p First; the next ones come on
/// the way.
static void waitForRow(TaskLoop &T, const RowPrefetch &Row, Value *First) {
  IRBuilder<> B(Row.Entry);
  B.SetCurrentDebugLocation(Row.Access->getDebugLoc());
  for (unsigned I = RowLines; I-- > 1;)
    prefetch(B, First, I * Row.Line);
  auto Group = find_if(T.Groups, [&](const AccessGroup &Other) {
    return Other.Requests.front().Parts.front().Access == Row.Entry;
  });
  assert(Group != T.Groups.end() && "nothing waits for a row");
  Group->Requests.front().Parts.front().Access = prefetch(B, First, 0);
}

/// \returns the first element's address, known in front of the inner loop.
static Value *prefetchRow(TaskLoop &T, const RowPrefetch &Row) {
  Value *First = computeAtEntry(accessPointer(Row.Access), *Row.Inner);
  IRBuilder<> B(Row.Access);
  prefetch(B, accessPointer(Row.Access), RowLines * Row.Line);
  if (Row.Waits)
    waitForRow(T, Row, First);
  return First;
}

void asyncmem::insertPrefetches(TaskLoop &T) {
  SmallVector<Value *, 2> FirstOfRow;
  for (const RowPrefetch &Row : T.Near.Rows)
    FirstOfRow.push_back(prefetchRow(T, Row));
  for (const StreamPrefetch &S : T.Near.Streams) {
    IRBuilder<> B(S.Position);
    for (int64_t Offset : S.Offsets)
      prefetch(B, S.Row ? FirstOfRow[*S.Row] : S.Pointer, Offset,
               isa<StoreInst>(S.Position));
  }
}
