// SPDX-License-Identifier: Apache-2.0

#include "analysis/Overlap.h"
#include "analysis/AffineAccess.h"
#include "common/Instructions.h"
#include "common/Request.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// How many dependent operations are compared to find two equal addresses.
constexpr unsigned MaxDepth = 6;
/// How many joined addresses are taken apart.
constexpr unsigned MaxChoices = 8;

/// \returns true if A and B are computed by the same operations; with \p Joins,
/// on some paths. Where both are joined the path is the same one: pointers that
/// change places in a loop around this one stay apart.
bool areEqual(const Value *A, const Value *B, bool Joins, unsigned Depth) {
  if (A == B)
    return true;
  if (!Depth)
    return false;
  auto *PhiA = dyn_cast<PHINode>(A), *PhiB = dyn_cast<PHINode>(B);
  if (PhiA && PhiB && PhiA->getParent() == PhiB->getParent())
    return Joins && any_of(PhiA->blocks(), [&](const BasicBlock *From) {
             return areEqual(PhiA->getIncomingValueForBlock(From),
                             PhiB->getIncomingValueForBlock(From), Joins,
                             Depth - 1);
           });
  for (auto [Joined, Other] : {std::pair(A, B), std::pair(B, A)}) {
    auto IsOther = [&, O = Other](const Value *Choice) {
      return areEqual(Choice, O, Joins, Depth - 1);
    };
    auto *Phi = dyn_cast<PHINode>(Joined);
    if (Joins && Phi && any_of(Phi->incoming_values(), IsOther))
      return true;
    auto *Select = dyn_cast<SelectInst>(Joined);
    if (Joins && Select &&
        (IsOther(Select->getTrueValue()) || IsOther(Select->getFalseValue())))
      return true;
  }
  auto *First = dyn_cast<Instruction>(A), *Second = dyn_cast<Instruction>(B);
  if (!First || !Second || isa<PHINode, AllocaInst, CallBase>(First) ||
      !First->isSameOperationAs(Second))
    return false;
  return all_of(zip(First->operands(), Second->operands()), [&](auto Pair) {
    return areEqual(std::get<0>(Pair), std::get<1>(Pair), Joins, Depth - 1);
  });
}

/// \returns the pointer that \p Pointer is \p Offset behind.
Value *withoutOffset(Value *Pointer, int64_t &Offset, ScalarEvolution &SE) {
  const DataLayout &DL = SE.getDataLayout();
  APInt Sum(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Pointer = Pointer->stripAndAccumulateConstantOffsets(
      DL, Sum, /*AllowNonInbounds=*/true);
  Offset = Sum.getSExtValue();
  return Pointer;
}

bool overlapAt(int64_t Distance, const Place &A, const Place &B) {
  return Distance < A.Bytes && -Distance < B.Bytes;
}

bool overlapUnjoined(const Place &A, const Place &B, ScalarEvolution &SE) {
  const SCEV *Distance =
      SE.getMinusSCEV(SE.getSCEV(B.Pointer), SE.getSCEV(A.Pointer));
  if (isa<SCEVConstant>(Distance)) {
    std::optional<int64_t> Known = constantDistance(A.Pointer, B.Pointer, SE);
    return Known && overlapAt(*Known, A, B);
  }
  int64_t OffsetA, OffsetB;
  Value *BaseA = withoutOffset(A.Pointer, OffsetA, SE);
  Value *BaseB = withoutOffset(B.Pointer, OffsetB, SE);
  return mayBeEqual(A.Pointer, B.Pointer) ||
         (mayBeEqual(BaseA, BaseB) && overlapAt(OffsetB - OffsetA, A, B));
}

/// Values of which paths of one iteration choose one, at phis and selects.
struct JoinedValues {
  SmallSetVector<Value *, 4> Choices;
  SmallSetVector<Instruction *, 4> Joins;
};

JoinedValues joinedValues(Value *Joined, const Loop &L) {
  SmallPtrSet<const BasicBlock *, 8> Headers;
  for (const Loop *Inner : L.getLoopsInPreorder())
    Headers.insert(Inner->getHeader());
  JoinedValues Found;
  SmallSetVector<Value *, 4> Work;
  Work.insert(Joined);
  for (unsigned I = 0; I != Work.size(); ++I) {
    auto *Join = dyn_cast<Instruction>(Work[I]);
    bool IsPhi = Join && isa<PHINode>(Join) && L.contains(Join) &&
                 !Headers.contains(Join->getParent());
    if (IsPhi || isa<SelectInst>(Work[I])) {
      Found.Joins.insert(Join);
      for (Value *Choice : drop_begin(Join->operands(), IsPhi ? 0 : 1))
        Work.insert(Choice);
    } else if (!isa<ConstantPointerNull, UndefValue>(Work[I])) {
      Found.Choices.insert(Work[I]);
    }
  }
  return Found;
}

/// \returns the one of \p Blocks that does not end the program, or null if there
/// are more.
template <typename Range> const BasicBlock *onlyOneGoingOn(Range Blocks) {
  const BasicBlock *Found = nullptr;
  for (const BasicBlock *BB : Blocks) {
    if (endsFatally(*BB) || BB == Found)
      continue;
    if (Found)
      return nullptr;
    Found = BB;
  }
  return Found;
}

/// \returns what decides about the way to the end of \p BB in \p L, or null. Checks
/// that end the program decide about no way.
Value *condition(const BasicBlock *BB, const Loop &L) {
  while (BB && BB != L.getHeader() && onlyOneGoingOn(successors(BB)))
    BB = onlyOneGoingOn(predecessors(BB));
  auto *Branch = BB ? dyn_cast<BranchInst>(BB->getTerminator()) : nullptr;
  return Branch && Branch->isConditional() ? Branch->getCondition() : nullptr;
}

/// \returns true if \p V follows from memory that is another one in each
/// iteration: then any iteration may go any way.
bool followsFromData(Value *V, const Loop &L, ScalarEvolution &SE) {
  SmallSetVector<Value *, 16> Work;
  Work.insert(V);
  for (unsigned N = 0; N != Work.size(); ++N) {
    auto *I = dyn_cast<Instruction>(Work[N]);
    if (!I || !L.contains(I))
      continue;
    auto *Load = dyn_cast<LoadInst>(I);
    if (Load && !SE.isLoopInvariant(SE.getSCEV(Load->getPointerOperand()), &L))
      return true;
    if (!Load)
      Work.insert(I->op_begin(), I->op_end());
  }
  return false;
}

bool isDecidedByData(const JoinedValues &Joined, const Loop &L,
                     ScalarEvolution &SE) {
  return all_of(Joined.Joins, [&](Instruction *Join) {
    if (auto *Select = dyn_cast<SelectInst>(Join))
      return followsFromData(Select->getCondition(), L, SE);
    return all_of(cast<PHINode>(Join)->blocks(), [&](const BasicBlock *From) {
      Value *Condition = condition(From, L);
      return Condition && followsFromData(Condition, L, SE);
    });
  });
}

/// \returns a part of \p Address that data joins in iterations of \p L.
Value *joinedIndex(const SCEV *Address, const Loop &L, ScalarEvolution &SE) {
  Value *Index = nullptr;
  SCEVExprContains(Address, [&](const SCEV *Part) {
    auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    if (!Unknown)
      return false;
    JoinedValues Joined = joinedValues(Unknown->getValue(), L);
    if (Joined.Joins.size() && isDecidedByData(Joined, L, SE))
      Index = Unknown->getValue();
    return Index != nullptr;
  });
  return Index;
}

bool anyChoice(const Place &A, const Place &B, const Loop &L,
               function_ref<bool(const Place &, const Place &)> Holds) {
  return any_of(choices(A.Pointer, L), [&](Value *OfA) {
    return any_of(choices(B.Pointer, L), [&](Value *OfB) {
      return Holds({OfA, A.Bytes}, {OfB, B.Bytes});
    });
  });
}

/// \returns \p Address with each choice for the indices that data joins.
SmallSetVector<const SCEV *, 4> indexChoices(const SCEV *Address, const Loop &L,
                                             ScalarEvolution &SE) {
  SmallSetVector<const SCEV *, 4> Work, Found;
  Work.insert(Address);
  for (unsigned I = 0; I != Work.size(); ++I) {
    Value *Index =
        Work.size() < MaxChoices ? joinedIndex(Work[I], L, SE) : nullptr;
    if (!Index) {
      Found.insert(Work[I]);
      continue;
    }
    for (Value *Choice : choices(Index, L)) {
      ValueToSCEVMapTy Chosen;
      Chosen[Index] = SE.getSCEV(Choice);
      Work.insert(SCEVParameterRewriter::rewrite(Work[I], SE, Chosen));
    }
  }
  return Found;
}

/// \returns true if no iteration reaches the bytes of \p A and \p B of another
/// one.
bool stayApart(const Place &A, const Place &B, const Loop &L,
               ScalarEvolution &SE) {
  std::optional<int64_t> Distance = constantDistance(A.Pointer, B.Pointer, SE);
  if (!Distance)
    return false;
  return *Distance < 0
             ? stayApart(B, A, L, SE)
             : differsAcrossIterations(SE.getSCEV(A.Pointer),
                                       std::max(A.Bytes, *Distance + B.Bytes),
                                       L, SE);
}

} // namespace

bool asyncmem::mayBeEqual(const Value *A, const Value *B) {
  return areEqual(A, B, /*Joins=*/true, MaxDepth);
}

bool asyncmem::haveFixedDistance(Value *A, Value *B, ScalarEvolution &SE) {
  int64_t OffsetA, OffsetB;
  return constantDistance(A, B, SE) ||
         areEqual(withoutOffset(A, OffsetA, SE), withoutOffset(B, OffsetB, SE),
                  /*Joins=*/false, MaxDepth);
}

SmallSetVector<Value *, 4> asyncmem::choices(Value *Pointer, const Loop &L) {
  return joinedValues(Pointer, L).Choices;
}

SmallVector<AddressChoice, 4>
asyncmem::addressChoices(Value *Pointer, const Loop &L, ScalarEvolution &SE) {
  JoinedValues Joined = joinedValues(Pointer, L);
  bool ByData = isDecidedByData(Joined, L, SE);
  SmallVector<AddressChoice, 4> Found;
  for (Value *Choice : Joined.Choices)
    if (ByData)
      for (const SCEV *Address : indexChoices(SE.getSCEV(Choice), L, SE))
        Found.push_back({Choice, Address});
    else
      Found.push_back({Choice, SE.getSCEV(Pointer)});
  return Found;
}

bool asyncmem::mayOverlap(const Place &A, const Place &B, const Loop &L,
                          ScalarEvolution &SE) {
  return anyChoice(A, B, L, [&](const Place &OfA, const Place &OfB) {
    return overlapUnjoined(OfA, OfB, SE);
  });
}

bool asyncmem::overlapByDistance(const Place &A, const Place &B, const Loop &L,
                                 ScalarEvolution &SE) {
  return anyChoice(A, B, L, [&](const Place &OfA, const Place &OfB) {
    std::optional<int64_t> Distance =
        constantDistance(OfA.Pointer, OfB.Pointer, SE);
    return Distance && overlapAt(*Distance, OfA, OfB);
  });
}

bool asyncmem::mayMeetElsewhere(const Place &A, const Place &B, const Loop &L,
                                ScalarEvolution &SE) {
  return mayBeEqual(getUnderlyingObject(A.Pointer, 0),
                    getUnderlyingObject(B.Pointer, 0)) &&
         !stayApart(A, B, L, SE);
}

const BasicBlock *asyncmem::overlapLater(const Place &A, const Place &B,
                                         const Loop &L, ScalarEvolution &SE) {
  auto *OfA = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(A.Pointer));
  auto *OfB = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(B.Pointer));
  std::optional<int64_t> Distance = constantDistance(A.Pointer, B.Pointer, SE);
  if (!OfA || !OfB || OfA->getLoop() != OfB->getLoop() || !Distance ||
      OfA->getLoop() == &L || !L.contains(OfA->getLoop()))
    return nullptr;
  std::optional<int64_t> By = smallConstant(OfB->getStepRecurrence(SE));
  if (!By)
    return nullptr;
  // The first iterations in which B has advanced to A, or past it.
  int64_t Repeats = -*Distance / *By;
  for (int64_t Later : {Repeats, Repeats + 1})
    if (Later > 0 && overlapAt(*Distance + Later * *By, A, B))
      return OfA->getLoop()->getHeader();
  return nullptr;
}
