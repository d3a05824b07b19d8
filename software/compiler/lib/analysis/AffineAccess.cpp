// SPDX-License-Identifier: Apache-2.0

#include "analysis/AffineAccess.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Iterations tried when two accesses advance by different steps.
constexpr int64_t TriedIterations = 4096;
/// Iterations of inner loops that reach columns, and those with different steps.
constexpr int64_t MostStrides = 1 << 16;
constexpr int64_t TriedStrides = 512;
/// Larger offsets are not followed: sums of two of them cannot overflow.
constexpr int64_t MaxOffset = int64_t(1) << 40;

/// \returns the value of a constant that is small enough to calculate with.
std::optional<int64_t> smallConstant(const SCEV *S) {
  auto *Constant = dyn_cast<SCEVConstant>(S);
  if (!Constant || !Constant->getAPInt().isSignedIntN(64))
    return std::nullopt;
  int64_t Value = Constant->getAPInt().getSExtValue();
  if (Value > MaxOffset || Value < -MaxOffset)
    return std::nullopt;
  return Value;
}

/// Of two numbers of iterations the smaller one, where 0 means any number.
uint64_t leastTrips(uint64_t A, uint64_t B) {
  return A && B ? std::min(A, B) : std::max(A, B);
}

class Decomposer {
public:
  /// Of addresses at which so many bytes are accessed.
  Decomposer(const Loop &L, ScalarEvolution &SE, uint64_t Bytes)
      : L(L), SE(SE), Bytes(std::min<uint64_t>(Bytes, MaxOffset)) {}

  std::optional<AffineAccess> decompose(const SCEV *S) {
    if (SE.isLoopInvariant(S, &L))
      return AffineAccess{S, 0, 0, 0};
    if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S))
      return decomposeRecurrence(*Recurrence);
    if (auto *Add = dyn_cast<SCEVAddExpr>(S))
      return decomposeSum(*Add);
    if (auto *Product = dyn_cast<SCEVMulExpr>(S))
      return decomposeProduct(*Product);
    if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(S))
      return decomposeExtended(*cast<SCEVCastExpr>(S));
    return std::nullopt;
  }

private:
  const Loop &L;
  ScalarEvolution &SE;
  const int64_t Bytes;
  /// What the part at hand is multiplied by.
  int64_t Factor = 1;

  std::optional<AffineAccess>
  decomposeRecurrence(const SCEVAddRecExpr &Recurrence) {
    if (!Recurrence.isAffine())
      return std::nullopt;
    std::optional<int64_t> Step =
        smallConstant(Recurrence.getStepRecurrence(SE));
    if (!Step)
      return std::nullopt;
    if (Recurrence.getLoop() == &L)
      return AffineAccess{Recurrence.getStart(), *Step, 0, 0};
    std::optional<AffineAccess> Found = decompose(Recurrence.getStart());
    if (!Found)
      return std::nullopt;
    // An inner loop surely touches its first place, and all of them if it is
    // known how many there are.
    int64_t Trips = SE.getSmallConstantTripCount(Recurrence.getLoop());
    if (!Trips || std::abs(*Step) > MaxOffset / Factor / Trips)
      return Found;
    const int64_t Last = *Step * (Trips - 1);
    if (std::abs(*Step) * Factor <=
        (Found->High - Found->Low) * Factor + Bytes) {
      (Last < 0 ? Found->Low : Found->High) += Last;
    } else if (Found->Count == 1) {
      Found->Stride = *Step;
      Found->Count = Trips;
    }
    return Found;
  }

  std::optional<AffineAccess> decomposeSum(const SCEVAddExpr &Add) {
    AffineAccess Sum = {SE.getZero(SE.getEffectiveSCEVType(Add.getType())), 0,
                        0, 0};
    for (const SCEV *Term : Add.operands()) {
      std::optional<AffineAccess> Found = decompose(Term);
      if (!Found)
        return std::nullopt;
      Sum.Base = SE.getAddExpr(Sum.Base, Found->Base);
      Sum.Step += Found->Step;
      Sum.Low += Found->Low;
      Sum.High += Found->High;
      Sum.Trips = leastTrips(Sum.Trips, Found->Trips);
      if (Sum.Count == 1) {
        Sum.Stride = Found->Stride;
        Sum.Count = Found->Count;
      }
    }
    return Sum;
  }

  std::optional<AffineAccess> decomposeProduct(const SCEVMulExpr &Product) {
    std::optional<int64_t> By = smallConstant(Product.getOperand(0));
    if (!By || *By <= 0 || Product.getNumOperands() != 2 ||
        *By > MaxOffset / Factor)
      return std::nullopt;
    Factor *= *By;
    std::optional<AffineAccess> Found = decompose(Product.getOperand(1));
    Factor /= *By;
    if (!Found)
      return std::nullopt;
    Found->Base = SE.getMulExpr(Product.getOperand(0), Found->Base);
    for (int64_t *Part :
         {&Found->Step, &Found->Low, &Found->High, &Found->Stride}) {
      if (std::abs(*Part) > MaxOffset / *By)
        return std::nullopt;
      *Part *= *By;
    }
    return Found;
  }

  /// A counter of fewer bits, as far as it surely does not wrap around.
  std::optional<AffineAccess> decomposeExtended(const SCEVCastExpr &Cast) {
    auto *Counter = dyn_cast<SCEVAddRecExpr>(Cast.getOperand());
    if (!Counter || Counter->getLoop() != &L || !Counter->isAffine())
      return std::nullopt;
    auto *Start = dyn_cast<SCEVConstant>(Counter->getStart());
    auto *Step = dyn_cast<SCEVConstant>(Counter->getStepRecurrence(SE));
    unsigned Bits = SE.getTypeSizeInBits(Counter->getType());
    if (!Start || !Step || Bits > 32)
      return std::nullopt;
    bool IsSigned = isa<SCEVSignExtendExpr>(Cast);
    int64_t Range = int64_t(1) << Bits, Least = IsSigned ? -Range / 2 : 0;
    const APInt &First = Start->getAPInt();
    int64_t From = IsSigned ? First.getSExtValue() : First.getZExtValue();
    int64_t By = Step->getAPInt().getSExtValue();
    int64_t Left = By < 0 ? From - Least : Least + Range - 1 - From;
    return AffineAccess{SE.getConstant(Cast.getType(), From, true), By, 0, 0,
                        uint64_t(Left / std::abs(By) + 1)};
  }
};

/// How far an address advances from iteration to iteration, and what inner
/// loops add to it within one, at most.
struct Advance {
  const SCEV *Step;
  const SCEV *Extent;
};

class AdvanceFinder {
public:
  AdvanceFinder(const Loop &L, ScalarEvolution &SE) : L(L), SE(SE) {}

  std::optional<Advance> find(const SCEV *S) {
    const SCEV *Zero = SE.getZero(SE.getEffectiveSCEVType(S->getType()));
    if (SE.isLoopInvariant(S, &L))
      return Advance{Zero, Zero};
    if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S))
      return findInRecurrence(*Recurrence);
    auto *Add = dyn_cast<SCEVAddExpr>(S);
    if (!Add)
      return std::nullopt;
    Advance Sum = {Zero, Zero};
    for (const SCEV *Term : Add->operands()) {
      std::optional<Advance> Found = find(Term);
      if (!Found)
        return std::nullopt;
      Sum = {SE.getAddExpr(Sum.Step, Found->Step),
             SE.getAddExpr(Sum.Extent, Found->Extent)};
    }
    return Sum;
  }

private:
  const Loop &L;
  ScalarEvolution &SE;

  std::optional<Advance> findInRecurrence(const SCEVAddRecExpr &Recurrence) {
    if (!Recurrence.isAffine())
      return std::nullopt;
    const SCEV *Step = Recurrence.getStepRecurrence(SE);
    if (!SE.isLoopInvariant(Step, &L))
      return std::nullopt;
    if (Recurrence.getLoop() == &L)
      return Advance{Step,
                     SE.getZero(SE.getEffectiveSCEVType(Step->getType()))};
    std::optional<Advance> Found = find(Recurrence.getStart());
    const SCEV *Repeats = SE.getBackedgeTakenCount(Recurrence.getLoop());
    if (!Found || isa<SCEVCouldNotCompute>(Repeats) ||
        !SE.isLoopInvariant(Repeats, &L) ||
        SE.getTypeSizeInBits(Repeats->getType()) >
            SE.getTypeSizeInBits(Step->getType()))
      return std::nullopt;
    if (SE.isKnownNegative(Step))
      Step = SE.getNegativeSCEV(Step);
    else if (!SE.isKnownNonNegative(Step))
      return std::nullopt;
    Repeats = SE.getNoopOrZeroExtend(Repeats, Step->getType());
    Found->Extent = SE.getAddExpr(Found->Extent, SE.getMulExpr(Step, Repeats));
    return Found;
  }
};

int64_t floorDivide(int64_t A, int64_t B) {
  return A / B - (A % B != 0 && (A < 0) != (B < 0));
}

/// \returns true if some m other than 0 with |m| < Trips has
/// First < m * Step < Last.
bool hasDistance(int64_t Step, int64_t First, int64_t Last, int64_t Trips) {
  if (Step == 0)
    return First < 0 && 0 < Last;
  if (Step < 0)
    return hasDistance(-Step, -Last, -First, Trips);
  int64_t Least = floorDivide(First, Step) + 1;
  int64_t Most = -floorDivide(-Last, Step) - 1;
  Least = std::max(Least, -(Trips - 1));
  Most = std::min(Most, Trips - 1);
  return Least <= Most && !(Least == 0 && Most == 0);
}

/// \returns true if \p Holds for how far A is behind B, in bytes, in some of so many
/// iterations of the inner loops that reach them. With different strides only the first
/// ones count.
bool anyStride(const AffineAccess &A, const AffineAccess &B, int64_t Tried,
               function_ref<bool(int64_t)> Holds) {
  const int64_t Stride = A.Count > 1 ? A.Stride : B.Stride;
  if (A.Count > 1 && B.Count > 1 && A.Stride != B.Stride)
    return Holds(0);
  const int64_t Least = std::max(1 - B.Count, -Tried);
  const int64_t Most = std::min(A.Count - 1, Tried);
  for (int64_t Distance = Least; Distance <= Most; ++Distance)
    if (Holds(Distance * Stride))
      return true;
  return false;
}

/// \returns true if there are iterations i and j, not the same one, with
/// First < i * StepA - j * StepB < Last.
bool meetWithSteps(int64_t StepA, int64_t StepB, int64_t First, int64_t Last,
                   int64_t Trips) {
  for (int64_t I = 0, E = std::min(Trips, TriedIterations); I != E; ++I) {
    for (bool Swap : {false, true}) {
      int64_t Fixed = I * (Swap ? -StepB : StepA);
      int64_t Step = Swap ? StepA : -StepB;
      if (Step == 0)
        continue;
      // First < Fixed + j * Step < Last for some j of another iteration.
      int64_t From = First - Fixed, To = Last - Fixed;
      if (Step < 0) {
        std::swap(From, To);
        From = -From;
        To = -To;
        Step = -Step;
      }
      int64_t Least = std::max<int64_t>(floorDivide(From, Step) + 1, 0);
      int64_t Most = std::min(-floorDivide(-To, Step) - 1, Trips - 1);
      if (Least <= Most && !(Least == I && Most == I))
        return true;
    }
  }
  return false;
}

/// \returns true if A and B meet in different iterations, A starting \p Between
/// bytes behind B.
bool meet(const AffineAccess &A, const AffineAccess &B, int64_t Between,
          uint64_t MaxTrips) {
  int64_t Trips = MaxTrips && MaxTrips < uint64_t(MaxOffset) ? int64_t(MaxTrips)
                                                             : MaxOffset;
  // They overlap in iterations i and j if First < i * A.Step - j * B.Step < Last.
  int64_t First = B.Low - A.High - Between;
  int64_t Last = B.High - A.Low - Between;
  if (A.Step == B.Step)
    return anyStride(A, B, MostStrides, [&](int64_t Further) {
      return hasDistance(A.Step, First - Further, Last - Further, Trips);
    });
  return anyStride(A, B, TriedStrides, [&](int64_t Further) {
    return meetWithSteps(A.Step, B.Step, First - Further, Last - Further,
                         Trips);
  });
}

} // namespace

std::optional<AffineAccess> asyncmem::affineAccess(const SCEV *Address,
                                                   uint64_t Bytes,
                                                   const Loop &L,
                                                   ScalarEvolution &SE) {
  std::optional<AffineAccess> Found =
      Decomposer(L, SE, Bytes).decompose(Address);
  if (Found)
    Found->High += std::min<uint64_t>(Bytes, MaxOffset);
  return Found;
}

bool asyncmem::meetAcrossIterations(const AffineAccess &A,
                                    const AffineAccess &B, uint64_t MaxTrips,
                                    const Loop &L, ScalarEvolution &SE) {
  uint64_t Steady = leastTrips(A.Trips, B.Trips);
  MaxTrips = leastTrips(MaxTrips, Steady);
  const SCEV *Difference = SE.getMinusSCEV(A.Base, B.Base);
  if (std::optional<int64_t> Between = smallConstant(Difference))
    return meet(A, B, *Between, MaxTrips);
  // Loops that count down to a constant: number the iterations from the last.
  const SCEV *Last = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Difference) || isa<SCEVCouldNotCompute>(Last) ||
      A.Step == B.Step || Steady)
    return false;
  Type *Ty = Difference->getType();
  const SCEV *Apart = SE.getMulExpr(SE.getTruncateOrZeroExtend(Last, Ty),
                                    SE.getConstant(Ty, A.Step - B.Step, true));
  std::optional<int64_t> Between =
      smallConstant(SE.applyLoopGuards(SE.getAddExpr(Difference, Apart), &L));
  return Between && meet({A.Base, -A.Step, A.Low, A.High},
                         {B.Base, -B.Step, B.Low, B.High}, *Between, MaxTrips);
}

bool asyncmem::differsAcrossIterations(const SCEV *Address, uint64_t Bytes,
                                       const Loop &L, ScalarEvolution &SE) {
  std::optional<Advance> Found = AdvanceFinder(L, SE).find(Address);
  if (!Found)
    return false;
  const SCEV *Step = Found->Step;
  if (SE.isKnownNegative(Step))
    Step = SE.getNegativeSCEV(Step);
  const SCEV *Needed =
      SE.getAddExpr(Found->Extent, SE.getConstant(Step->getType(), Bytes));
  return SE.isKnownNonNegative(SE.getMinusSCEV(Step, Needed));
}
