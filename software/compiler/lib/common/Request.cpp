// SPDX-License-Identifier: Apache-2.0

#include "common/Request.h"
#include "common/Blocks.h"
#include "common/Target.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

Value *asyncmem::accessPointer(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return const_cast<Value *>(Update->getPointerOperand());
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return const_cast<Value *>(Exchange->getPointerOperand());
  return const_cast<Value *>(getLoadStorePointerOperand(Access));
}

Type *asyncmem::accessType(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return Update->getValOperand()->getType();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return Exchange->getCompareOperand()->getType();
  return getLoadStoreType(const_cast<Instruction *>(Access));
}

unsigned asyncmem::accessBytes(const Instruction *Access) {
  return Access->getModule()->getDataLayout().getTypeStoreSize(
      accessType(Access));
}

Align asyncmem::accessAlignment(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return Update->getAlign();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return Exchange->getAlign();
  return getLoadStoreAlignment(const_cast<Instruction *>(Access));
}

std::optional<int64_t> asyncmem::smallConstant(const SCEV *S) {
  auto *Constant = dyn_cast<SCEVConstant>(S);
  if (!Constant || Constant->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return Constant->getAPInt().getSExtValue();
}

std::optional<int64_t> asyncmem::constantDistance(const Value *From,
                                                  const Value *To,
                                                  ScalarEvolution &SE) {
  const SCEV *End = SE.getSCEV(const_cast<Value *>(To));
  return smallConstant(
      SE.getMinusSCEV(End, SE.getSCEV(const_cast<Value *>(From))));
}

std::optional<int64_t> asyncmem::constantStep(const SCEV *S, const Loop &L,
                                              ScalarEvolution &SE) {
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
  if (!Recurrence || Recurrence->getLoop() != &L || !Recurrence->isAffine())
    return std::nullopt;
  return smallConstant(Recurrence->getStepRecurrence(SE));
}

void asyncmem::addScopes(const Instruction &I, AliasScopes &Scopes) {
  if (auto *Declaration = dyn_cast<NoAliasScopeDeclInst>(&I))
    for (const MDOperand &Scope : Declaration->getScopeList()->operands())
      Scopes.insert(Scope.get());
}

MemoryLocation asyncmem::anyPlace(const Instruction &Access,
                                  const AliasScopes &Declared) {
  AAMDNodes Known = Access.getAAMetadata();
  for (MDNode **List : {&Known.Scope, &Known.NoAlias})
    if (*List && any_of((*List)->operands(), [&](const MDOperand &Scope) {
          return Declared.contains(Scope.get());
        }))
      *List = nullptr;
  auto *Block = dyn_cast<AnyMemIntrinsic>(&Access);
  return MemoryLocation(Block ? Block->getRawDest() : accessPointer(&Access),
                        LocationSize::beforeOrAfterPointer(), Known);
}

MemoryLocation asyncmem::anyPlace(const Instruction &Access,
                                  ArrayRef<BasicBlock *> Blocks) {
  AliasScopes Declared;
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      addScopes(I, Declared);
  return anyPlace(Access, Declared);
}

namespace {

Value *advance(IRBuilderBase &B, PHINode *Counter, Value *Later, int64_t Step) {
  Type *Ty = Counter->getType();
  if (Ty->isPointerTy())
    return B.CreateGEP(B.getInt8Ty(), Counter,
                       B.CreateMul(Later, B.getInt64(Step)));
  return B.CreateAdd(Counter, B.CreateMul(B.CreateZExtOrTrunc(Later, Ty),
                                          ConstantInt::getSigned(Ty, Step)));
}

} // namespace

void Strip::copyOperations(
    IRBuilderBase &B, Value *Later, ValueToValueMapTy &Values,
    function_ref<Value *(const StripOperation &, Value *)> Read) const {
  for (auto [Counter, Step] : Counters)
    Values[Counter] = advance(B, Counter, Later, Step);
  for (const StripOperation &Operation : Operations) {
    auto *Original = cast<Instruction>(Operation.Operation);
    if (Operation.Row) {
      Values[Original] =
          Read(Operation, mapped<Value>(Values, Operation.Pointer));
      continue;
    }
    // The later iteration might not come to the original.
    copyInstruction(B, *Original, Values)->dropPoisonGeneratingFlags();
  }
}

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

CallInst *asyncmem::rowPrefetch(Instruction *Access) {
  auto *Call = dyn_cast<IntrinsicInst>(Access);
  return Call && Call->getIntrinsicID() == Intrinsic::prefetch ? Call : nullptr;
}
