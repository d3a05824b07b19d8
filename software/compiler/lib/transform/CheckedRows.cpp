// SPDX-License-Identifier: Apache-2.0

#include "transform/CheckedRows.h"
#include "common/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

RowFinder::RowFinder(const RowAnalyses &Analyses)
    : Analyses(Analyses),
      Expander(Analyses.SE, Analyses.SE.getDataLayout(), "row") {}

/// A callee may lock, free what the row is in, or never return.
static bool hasCalls(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) {
      return isa<CallBase>(I) && !isa<IntrinsicInst>(I) && !isMark(I);
    });
  });
}

bool RowFinder::canExpand(const SCEV *S, const Loop &L) {
  return Expander.isSafeToExpandAt(S, L.getLoopPreheader()->getTerminator());
}

const SCEV *RowFinder::findRepeats(const Loop &L) {
  if (!L.getLoopPreheader() || !L.getLoopLatch() ||
      L.getExitingBlock() != L.getLoopLatch() || hasCalls(L))
    return nullptr;
  const SCEV *Found = Analyses.SE.getBackedgeTakenCount(&L);
  return !isa<SCEVCouldNotCompute>(Found) &&
                 Analyses.SE.getTypeSizeInBits(Found->getType()) <= 64 &&
                 canExpand(Found, L)
             ? Found
             : nullptr;
}

const SCEV *RowFinder::repeatsOf(Loop &L) {
  auto [Known, IsNew] = Repeats.insert({&L, nullptr});
  if (IsNew)
    Known->second = findRepeats(L);
  return Known->second;
}

/// \returns true if so many iterations are a number of 32 bits.
bool RowFinder::isShort(const SCEV *Iterations) {
  return Analyses.SE.getUnsignedRangeMax(Iterations).isIntN(32);
}

/// \returns false if \p S is no index of 32 bits, or a multiple of one.
bool RowFinder::findIndex(const SCEV *S, CheckedRow &Row) {
  Row.Step = Analyses.SE.getOne(S->getType());
  if (auto *Product = dyn_cast<SCEVMulExpr>(S);
      Product && Product->getNumOperands() == 2 &&
      isa<SCEVConstant>(Product->getOperand(0))) {
    Row.Step = Product->getOperand(0);
    S = Product->getOperand(1);
  }
  auto *Wide = dyn_cast<SCEVZeroExtendExpr>(S);
  auto *Index = Wide ? dyn_cast<SCEVAddRecExpr>(Wide->getOperand()) : nullptr;
  if (!Index || Index->getLoop() != Row.L || !Index->isAffine() ||
      !Index->getType()->isIntegerTy(32))
    return false;
  // It wraps around once at most. One of these is what the loop compares with.
  const SCEV *Repeats = repeatsOf(*Row.L);
  if (!isShort(Analyses.SE.applyLoopGuards(Repeats, Row.L)) &&
      !isShort(Analyses.SE.getAddExpr(Repeats,
                                      Analyses.SE.getOne(Repeats->getType()))))
    return false;
  const SCEV *Step = Index->getStepRecurrence(Analyses.SE);
  if (!Step->isOne() && !Step->isAllOnesValue())
    return false;
  Row.IndexStep = Step->isOne() ? 1 : -1;
  Row.Index = Index->getStart();
  return true;
}

std::optional<CheckedRow> RowFinder::rowOf(const SCEV *Place, Loop &L) {
  ScalarEvolution &SE = Analyses.SE;
  if (SE.isLoopInvariant(Place, &L))
    return CheckedRow{&L, Place,
                      SE.getZero(SE.getEffectiveSCEVType(Place->getType()))};
  if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Place)) {
    if (Recurrence->getLoop() != &L || !Recurrence->isAffine())
      return std::nullopt;
    return CheckedRow{&L, Recurrence->getStart(),
                      Recurrence->getStepRecurrence(SE)};
  }
  auto *Sum = dyn_cast<SCEVAddExpr>(Place);
  if (!Sum)
    return std::nullopt;
  CheckedRow Row = {&L, nullptr, nullptr};
  SmallVector<const SCEV *, 4> Others;
  for (const SCEV *Part : Sum->operands())
    if (SE.isLoopInvariant(Part, &L))
      Others.push_back(Part);
    else if (Row.Index || !findIndex(Part, Row))
      return std::nullopt;
  Row.Start = SE.getAddExpr(Others);
  return Row.Start->getType()->isPointerTy() ? std::optional(Row)
                                             : std::nullopt;
}

bool RowFinder::canExpand(const CheckedRow &Row) {
  return canExpand(Row.Start, *Row.L) && canExpand(Row.Step, *Row.L) &&
         (!Row.Index || canExpand(Row.Index, *Row.L)) &&
         (!Row.Bytes || canExpand(Row.Bytes, *Row.L));
}

/// \returns the row of \p A in the iterations of \p L, each of which runs it once.
std::optional<CheckedRow> RowFinder::rowIn(Loop &L, const CheckedAccess &A) {
  if (!isa_and_present<ConstantInt>(A.Bytes) || !repeatsOf(L) ||
      !Analyses.DT.dominates(A.I->getParent(), L.getLoopLatch()))
    return std::nullopt;
  std::optional<CheckedRow> Row = rowOf(Analyses.SE.getSCEV(A.Pointer), L);
  return Row && canExpand(*Row) ? Row : std::nullopt;
}

/// \returns true if each iteration of \p L, which is around that of \p Row, runs
/// that loop, or none does and \p Row has the condition.
static bool alwaysRuns(CheckedRow &Row, const Loop &Inner, const Loop &L,
                       const DominatorTree &DT) {
  if (DT.dominates(Inner.getHeader(), L.getLoopLatch()))
    return true;
  const BranchInst *Guard = Inner.getLoopGuardBranch();
  if (!Guard || !L.isLoopInvariant(Guard->getCondition()) ||
      !DT.dominates(Guard->getParent(), L.getLoopLatch()))
    return false;
  Row.Guard = Guard->getCondition();
  Row.EntersIf = Guard->getSuccessor(0) == Inner.getLoopPreheader();
  return true;
}

/// \returns the row of the loop around \p Row, each iteration of which uses all of
/// it, without gaps.
std::optional<CheckedRow> RowFinder::rowOfRows(const CheckedRow &Row,
                                               const CheckedAccess &A) {
  ScalarEvolution &SE = Analyses.SE;
  Loop *L = Row.L->getParentLoop();
  auto *Step = dyn_cast<SCEVConstant>(Row.Step);
  if (!L || !Step || Row.Index || Row.Guard || !repeatsOf(*L) ||
      !SE.isLoopInvariant(repeatsOf(*Row.L), L))
    return std::nullopt;
  Type *Ty = Step->getType();
  const SCEV *Bytes =
      Row.Bytes ? Row.Bytes : SE.getConstant(Ty, constantBytes(A));
  const SCEV *Repeats = SE.getTruncateOrZeroExtend(repeatsOf(*Row.L), Ty);
  const SCEV *Length = SE.getMulExpr(SE.getAbsExpr(Step, false), Repeats);
  if (!isa<SCEVConstant>(Bytes) ||
      Step->getAPInt().abs().ugt(cast<SCEVConstant>(Bytes)->getAPInt()))
    return std::nullopt;
  const SCEV *Low = Step->getAPInt().isNegative()
                        ? SE.getMinusSCEV(Row.Start, Length)
                        : Row.Start;
  std::optional<CheckedRow> Found = rowOf(Low, *L);
  // One place in all iterations meets itself.
  if (!Found || Found->Index || (A.Writes && Found->Step->isZero()) ||
      !alwaysRuns(*Found, *Row.L, *L, Analyses.DT))
    return std::nullopt;
  Found->Bytes = SE.getAddExpr(Length, Bytes);
  return canExpand(*Found) ? Found : std::nullopt;
}

std::optional<CheckedRow> RowFinder::find(const CheckedAccess &A,
                                          Loop &Within) {
  Loop *L = Within.getHeader()->getParent() == A.I->getFunction()
                ? Analyses.LI.getLoopFor(A.I->getParent())
                : nullptr;
  if (!L || !Within.contains(L))
    return std::nullopt;
  std::optional<CheckedRow> Row = rowIn(*L, A);
  while (Row && Row->L != &Within)
    if (std::optional<CheckedRow> Wider = rowOfRows(*Row, A))
      Row = Wider;
    else
      break;
  return Row;
}

SmallVector<RowPiece, 2> RowFinder::expand(const CheckedAccess &A,
                                           const CheckedRow &Row) {
  Instruction *Before = Row.L->getLoopPreheader()->getTerminator();
  auto Expand = [&](const SCEV *S) {
    return Expander.expandCodeFor(S, S->getType(), Before);
  };
  Value *Start = Expand(Row.Start), *Step = Expand(Row.Step),
        *Repeated = Expand(repeatsOf(*Row.L)),
        *Index = Row.Index ? Expand(Row.Index) : nullptr;
  IRBuilder<> B(Before);
  IntegerType *Long = B.getInt64Ty();
  Value *Bytes =
      B.CreateZExtOrTrunc(Row.Bytes ? Expand(Row.Bytes) : A.Bytes, Long);
  Step = B.CreateSExtOrTrunc(Step, Long);
  Value *Count =
      B.CreateAdd(B.CreateZExtOrTrunc(Repeated, Long), B.getInt64(1));
  if (Row.Guard)
    Count = B.CreateSelect(Row.Guard, Row.EntersIf ? Count : B.getInt64(0),
                           Row.EntersIf ? B.getInt64(0) : Count);
  if (!Index)
    return {{Start, Bytes, Step, B.getInt64(0), Count}};
  // The second piece begins where the index wraps around, if it does.
  bool Grows = Row.IndexStep > 0;
  Index = B.CreateZExt(Index, Long);
  Value *Left = Grows ? B.CreateSub(B.getInt64(uint64_t(1) << 32), Index)
                      : B.CreateAdd(Index, B.getInt64(1));
  Value *First = B.CreateBinaryIntrinsic(Intrinsic::umin, Left, Count);
  auto PlaceOf = [&](Value *Of) {
    return B.CreateGEP(B.getInt8Ty(), Start, B.CreateMul(Step, Of));
  };
  Value *Place = PlaceOf(Index),
        *Wrapped = PlaceOf(B.getInt64(Grows ? 0 : UINT32_MAX));
  Value *Advance = Grows ? Step : B.CreateNeg(Step);
  return {{Place, Bytes, Advance, B.getInt64(0), First},
          {Wrapped, Bytes, Advance, First, B.CreateSub(Count, First)}};
}
