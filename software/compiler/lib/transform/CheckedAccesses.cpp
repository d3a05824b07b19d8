// SPDX-License-Identifier: Apache-2.0

#include "transform/Checker.h"
#include "analysis/AffineAccess.h"
#include "analysis/Analyses.h"
#include "analysis/Suspensions.h"
#include "asyncmem_check.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PHITransAddr.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;
using namespace llvm::PatternMatch;

uint64_t asyncmem::constantBytes(const CheckedAccess &A) {
  auto *Length = dyn_cast_if_present<ConstantInt>(A.Bytes);
  return Length ? Length->getZExtValue() : 1;
}

namespace {

/// \returns true if \p Store writes what follows from \p Load, or whether it
/// writes does, in one iteration of the loop of \p T (null: of no loop).
bool decides(const LoadInst &Load, const StoreInst &Store, const TaskLoop *T) {
  SmallSetVector<const Value *, 16> Following;
  Following.insert(&Load);
  for (unsigned N = 0; N != Following.size(); ++N)
    for (const User *U : Following[N]->users()) {
      auto *I = cast<Instruction>(U);
      bool IsOutside = T && (!T->L->contains(I) ||
                             (isa<PHINode>(I) && I->getParent() == T->Header));
      if (IsOutside || (I == &Store && Store.getValueOperand() != Following[N]))
        continue;
      if (I == &Store || I->isTerminator())
        return true;
      if (!I->mayReadOrWriteMemory())
        Following.insert(I);
    }
  return false;
}

/// \returns the bits that "place = (place & mask) | value" changes without a
/// look at the old ones; 0 if it is something else, or always sets the same.
uint64_t insertedBits(const StoreInst &Store, const LoadInst &Load) {
  const APInt *Kept;
  Value *New;
  if (!match(Store.getValueOperand(),
             m_c_Or(m_And(m_Specific(&Load), m_APInt(Kept)), m_Value(New))) ||
      Kept->getBitWidth() > 64 || isa<Constant>(New))
    return 0;
  return (~*Kept).getZExtValue();
}

/// \returns where paths join whose places \p Pointer is, null if it is one place.
BasicBlock *joinOf(Value &Pointer) {
  auto *I = dyn_cast<Instruction>(&Pointer);
  if (!I || isa<PHINode>(I))
    return I ? I->getParent() : nullptr;
  auto *Joined =
      find_if(I->operands(), [](Value *V) { return isa<PHINode>(V); });
  return Joined == I->op_end() ? nullptr
                               : cast<Instruction>(*Joined)->getParent();
}

class Collector {
public:
  CheckedAccesses Found;

  void add(Instruction &I) {
    IntegerType *Size = Type::getInt64Ty(I.getContext());
    auto Add = [&](Value *Pointer, Value *Bytes, bool Writes) {
      add({&I, Pointer, Bytes, Writes});
    };
    if (auto *Block = dyn_cast<AnyMemIntrinsic>(&I)) {
      if (auto *Copy = dyn_cast<AnyMemTransferInst>(Block))
        Add(Copy->getRawSource(), Copy->getLength(), false);
      Add(Block->getRawDest(), Block->getLength(), true);
    } else if (isCompare(I)) {
      for (unsigned Side : {0, 1})
        Add(I.getOperand(Side), I.getOperand(2), false);
    } else if (std::optional<StringRead> Read = stringRead(I)) {
      CheckedAccess A = {&I, Read->String, /*Bytes=*/nullptr, false};
      A.String = Read;
      add(A);
      std::swap(A.String->String, A.String->Other);
      A.Pointer = A.String->String;
      if (A.Pointer)
        add(A);
    } else if (accessPointer(&I)) {
      Add(accessPointer(&I), ConstantInt::get(Size, accessBytes(&I)),
          !isa<LoadInst>(I));
    }
  }

  void add(CheckedAccess A) {
    if (A.I->isAtomic()) {
      A.Permits = CHECK_OWNED;
      A.Traits = CHECK_IS_ATOMIC;
    }
    if (isa<AllocaInst>(getUnderlyingObject(A.Pointer, 0)) ||
        isa<GlobalVariable>(A.Pointer->stripInBoundsConstantOffsets()))
      A.Traits |= CHECK_IS_VARIABLE;
    Found.push_back(A);
  }

  /// \returns where \p Write is: one place, and those of the paths that join to it if a
  /// load is at each of them. Two updates may have one store.
  SmallVector<const Value *, 4> placesOf(const CheckedAccess &Write,
                                         const TaskLoop *T) const {
    SmallVector<const Value *, 4> Places = {Write.Pointer};
    BasicBlock *Join = joinOf(*Write.Pointer);
    if (!Join || (T && Join == T->Header))
      return Places;
    const DominatorTree DT(*Join->getParent());
    for (BasicBlock *Before : predecessors(Join)) {
      PHITransAddr Address(Write.Pointer, Join->getModule()->getDataLayout(),
                           /*AC=*/nullptr);
      const Value *Place =
          Address.translateValue(Join, Before, &DT, /*MustDominate=*/true);
      if (none_of(Found, [&](const CheckedAccess &A) {
            return isa<LoadInst>(A.I) && A.Pointer == Place;
          }))
        return {Write.Pointer};
      Places.push_back(Place);
    }
    return Places;
  }

  /// Marks the reads and writes of one place where one decides about the other:
  /// no other task comes between, unless a task of \p T (null: of no loop) waits
  /// there itself.
  void findUpdates(const TaskLoop *T, const Suspensions *Suspended) {
    for (CheckedAccess &Write : Found) {
      auto *Store = dyn_cast<StoreInst>(Write.I);
      if (!Store)
        continue;
      const auto Places = placesOf(Write, T);
      for (CheckedAccess &Read : Found) {
        auto *Load = dyn_cast<LoadInst>(Read.I);
        if (!Load || !is_contained(Places, Read.Pointer) ||
            !decides(*Load, *Store, T) ||
            (T && !T->isRemote(Load) &&
             Suspended->lieBetween(*Load, *Store, Flow::AnyMemory)))
          continue;
        Read.Permits |= CHECK_OWNED;
        Write.Permits |= CHECK_OWNED;
        Read.Traits |= CHECK_IS_UPDATE;
        Write.Traits |= CHECK_IS_UPDATE;
        if (uint64_t Bits = insertedBits(*Store, *Load)) {
          Read.Permits |= CHECK_INSERT;
          Write.Permits |= CHECK_INSERT;
          Write.Bits |= Bits;
        }
      }
    }
  }
};

/// \returns true if \p A may meet \p B of another iteration.
bool mayMeet(const CheckedAccess &A, const CheckedAccess &B) {
  return A.Permits & B.Permits & (CHECK_ORDERED | CHECK_OWNED | CHECK_LOSSY);
}

/// \returns true if the compiler knows whether the accesses meet: then it has
/// decided.
bool areRelated(const CheckedAccess &A, const CheckedAccess &B,
                const TaskLoop &T, ScalarEvolution &SE) {
  const Value *ObjectA = getUnderlyingObject(A.Pointer, 0);
  const Value *ObjectB = getUnderlyingObject(B.Pointer, 0);
  if (ObjectA != ObjectB && isIdentifiedObject(ObjectA) &&
      isIdentifiedObject(ObjectB))
    return true;
  if (!A.Bytes || !B.Bytes)
    return false;
  const SCEV *AddressA = SE.getSCEV(A.Pointer);
  const SCEV *AddressB = SE.getSCEV(B.Pointer);
  if (A.Pointer == B.Pointer &&
      differsAcrossIterations(AddressA, constantBytes(A), *T.L, SE))
    return true;
  auto WhereA = affineAccess(AddressA, constantBytes(A), *T.L, SE);
  auto WhereB = affineAccess(AddressB, constantBytes(B), *T.L, SE);
  // Of columns not all elements were compared.
  return WhereA && WhereB && !WhereA->Trips && !WhereB->Trips &&
         WhereA->Count == 1 && WhereB->Count == 1 &&
         isa<SCEVConstant>(SE.getMinusSCEV(WhereA->Base, WhereB->Base));
}

/// \returns true if nothing but the promise keeps \p A from meeting one of
/// \p Accesses in another iteration.
bool reliesOnPromise(const CheckedAccess &A, ArrayRef<CheckedAccess> Accesses,
                     const TaskLoop &T, ScalarEvolution &SE) {
  return any_of(Accesses, [&](const CheckedAccess &B) {
    return (A.Writes || B.Writes) && !mayMeet(A, B) && !areRelated(A, B, T, SE);
  });
}

template <typename Range> bool hasCalls(Range Instructions) {
  return any_of(Instructions, [](const Instruction &I) {
    return isa<CallBase>(I) && !isa<IntrinsicInst>(I) && !isMark(I);
  });
}

unsigned line(const Instruction &I) {
  return I.getDebugLoc() ? I.getDebugLoc().getLine() : 0;
}

} // namespace

CheckedAccesses asyncmem::checkedAccesses(const TaskLoop &T,
                                          ScalarEvolution &SE) {
  Collector All;
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (!isInPlace(I) && !is_contained(T.SharedStores, &I))
        All.add(I);
  erase_if(All.Found,
           [&](const CheckedAccess &A) { return isPrivate(T, A.Pointer); });
  const Suspensions Suspended(T);
  All.findUpdates(&T, &Suspended);
  for (CheckedAccess &A : All.Found) {
    bool IsExclusive = any_of(T.Updates, [&](const RemoteUpdate &U) {
      return A.I == U.First || is_contained(U.Stores, A.I);
    });
    if (IsExclusive) {
      A.Permits |= CHECK_OWNED;
      A.Traits |= CHECK_IS_UPDATE;
    } else if (T.isRemote(A.I) && !A.I->isAtomic()) {
      // A task waits between read and write.
      A.Permits &= ~(CHECK_OWNED | CHECK_INSERT);
    }
    if (!Suspended.mayPrecede(*A.I))
      A.Permits |= CHECK_ORDERED;
    if (T.Lossy.contains(A.I))
      A.Permits |= CHECK_LOSSY;
    else if (T.Promised.contains(A.I))
      A.Traits |= CHECK_IS_DISTINCT;
  }
  for (CheckedAccess &A : All.Found)
    A.IsPromised = reliesOnPromise(A, All.Found, T, SE);
  return All.Found;
}

CheckedAccesses asyncmem::checkedAccesses(Function &F, bool Ordered) {
  Collector All;
  for (Instruction &I : instructions(F))
    All.add(I);
  erase_if(All.Found, [&](const CheckedAccess &A) {
    return isa<AllocaInst>(getUnderlyingObject(A.Pointer, 0));
  });
  All.findUpdates(nullptr, nullptr);
  if (Ordered)
    for (CheckedAccess &A : All.Found)
      A.Permits |= CHECK_ORDERED;
  return All.Found;
}

bool asyncmem::isCovered(const CheckedAccess &Read,
                         ArrayRef<CheckedAccess> Accesses) {
  return isa<LoadInst>(Read.I) &&
         any_of(Accesses, [&](const CheckedAccess &Write) {
           return isa<StoreInst>(Write.I) && Write.Pointer == Read.Pointer &&
                  Write.Bytes == Read.Bytes && Write.Permits == Read.Permits &&
                  line(*Write.I) == line(*Read.I) &&
                  Write.I->getParent() == Read.I->getParent() &&
                  Read.I->comesBefore(Write.I) &&
                  !hasCalls(make_range(Read.I->getIterator(),
                                       Write.I->getIterator()));
         });
}

std::optional<CheckedRow> asyncmem::rowOf(const CheckedAccess &A,
                                          const Loop &Own,
                                          const CheckAnalyses &Analyses,
                                          SCEVExpander &Expander) {
  const auto &[LI, DT, SE] = Analyses;
  Loop *L = Own.getHeader()->getParent() == A.I->getFunction()
                ? LI.getLoopFor(A.I->getParent())
                : nullptr;
  // A callee may lock, free what the row is in, or never return.
  if (!L || !Own.contains(L) || !isa_and_present<ConstantInt>(A.Bytes) ||
      !L->getLoopPreheader() || !L->getLoopLatch() ||
      L->getExitingBlock() != L->getLoopLatch() ||
      !DT.dominates(A.I->getParent(), L->getLoopLatch()) ||
      any_of(L->blocks(), [](const BasicBlock *BB) {
        return hasCalls(make_range(BB->begin(), BB->end()));
      }))
    return std::nullopt;
  const SCEV *Place = SE.getSCEV(A.Pointer);
  CheckedRow Row = {L, Place,
                    SE.getZero(SE.getEffectiveSCEVType(Place->getType())),
                    SE.getBackedgeTakenCount(L)};
  if (auto *Moving = dyn_cast<SCEVAddRecExpr>(Place);
      Moving && Moving->getLoop() == L && Moving->isAffine()) {
    Row.Start = Moving->getStart();
    Row.Step = Moving->getStepRecurrence(SE);
  }
  const Instruction *Before = L->getLoopPreheader()->getTerminator();
  for (const SCEV *S : {Row.Start, Row.Step, Row.Repeats})
    if (isa<SCEVCouldNotCompute>(S) || !SE.isLoopInvariant(S, L) ||
        SE.getTypeSizeInBits(S->getType()) > 64 ||
        !Expander.isSafeToExpandAt(S, Before))
      return std::nullopt;
  return Row;
}
