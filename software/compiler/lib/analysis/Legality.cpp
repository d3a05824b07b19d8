// SPDX-License-Identifier: Apache-2.0
// Dependences between iterations through memory.
//
// The pragma promises that iterations do not meet in memory but in updates by
// one commutative operation. What the compiler can see is not taken from the
// promise: a place that is certainly touched by two iterations, one of them
// writing, keeps the loop serial.
//
// Algorithm: all accesses are collected, but atomic ones and those under a lock. A read
// and a write of one place must have no suspension between, unless other iterations
// stay away. Each write is compared with each access: those that surely meet
// (AffineAccess.h) must commute, or come before the first suspension.
//
//   y[i + 3] = y[i] * 5;   iteration k writes what k + 3 reads: refused

#include "analysis/Analyses.h"
#include "analysis/AffineAccess.h"
#include "analysis/Suspensions.h"
#include "analysis/Overlap.h"
#include "common/Instructions.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// One read or write of memory that other iterations can reach.
struct Access {
  Instruction *I;
  /// One of those that paths of an iteration join.
  Value *Pointer;
  const SCEV *Address;
  /// As far as the length is known.
  uint64_t Bytes;
  bool Writes;
  bool Remote;
  std::optional<AffineAccess> Where;
  /// Operation of the whole commutative update this is a part of, or 0.
  unsigned Update = 0;
};

/// \returns what the program calls \p Object, a variable, or what it is.
std::string nameOf(const Value &Object) {
  StringRef Name = Object.getName();
  if (Name.consume_front(VariablePrefix))
    return ("'" + Name.split('.').first + "'").str();
  return isa<GlobalVariable>(Object) ? "'" + demangle(Name) + "'"
                                     : "local memory";
}

class DependenceChecker {
public:
  DependenceChecker(TaskLoop &T, ScalarEvolution &SE, Refusal &No)
      : T(T), SE(SE), No(No), Suspended(T), Locks(T),
        MaxTrips(SE.getSmallConstantMaxTripCount(T.L)) {}

  bool check() {
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB)
        collect(I);
    return checkUpdates() && checkSharedSteps() && checkMeetings();
  }

private:
  TaskLoop &T;
  ScalarEvolution &SE;
  Refusal &No;
  Suspensions Suspended;
  LockRegions Locks;
  uint64_t MaxTrips;
  SmallVector<Access, 16> Accesses;

  bool refuse(StringRef Why, const Instruction &At) {
    return asyncmem::refuse(No, Why, &At);
  }

  void add(Instruction &I, Value *Pointer, uint64_t Bytes, bool Writes) {
    if (isPrivate(T, Pointer))
      return;
    for (auto [Choice, Address] : addressChoices(Pointer, *T.L, SE))
      Accesses.push_back({&I, Choice, Address, Bytes, Writes, T.isRemote(&I),
                          where(I, Address, Bytes)});
  }

  /// Behind an inner loop an address is the last one of those in it.
  std::optional<AffineAccess> where(const Instruction &I, const SCEV *Address,
                                    uint64_t Bytes) const {
    bool IsBehind = SCEVExprContains(Address, [&](const SCEV *Part) {
      auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Part);
      return Recurrence && !Recurrence->getLoop()->contains(&I);
    });
    if (IsBehind)
      return std::nullopt;
    return affineAccess(Address, Bytes, *T.L, SE);
  }

  void collect(Instruction &I) {
    // The program says itself that iterations meet here.
    if (I.isAtomic() || Locks.protects(I))
      return;
    if (Value *Pointer = getLoadStorePointerOperand(&I)) {
      const DataLayout &DL = I.getModule()->getDataLayout();
      add(I, Pointer, DL.getTypeStoreSize(getLoadStoreType(&I)).getFixedValue(),
          isa<StoreInst>(I));
    } else if (auto *Block = dyn_cast<AnyMemIntrinsic>(&I)) {
      auto *Length = dyn_cast<ConstantInt>(Block->getLength());
      uint64_t Bytes = Length ? Length->getZExtValue() : 1;
      add(I, Block->getRawDest(), Bytes, true);
      if (auto *Copy = dyn_cast<AnyMemTransferInst>(Block))
        add(I, Copy->getRawSource(), Bytes, false);
    } else if (isCompare(I)) {
      auto *Length = dyn_cast<ConstantInt>(I.getOperand(2));
      for (unsigned Side : {0, 1})
        add(I, I.getOperand(Side), Length ? Length->getZExtValue() : 1, false);
    }
  }

  /// Finds the updates that tasks can run in any order, and those that a
  /// suspension takes apart.
  bool checkUpdates() {
    for (Access &Write : Accesses) {
      if (!Write.Writes || is_contained(T.SharedStores, Write.I))
        continue;
      bool MayMeet = isInPlace(*Write.I) || !isOwn(Write);
      for (Access &Read : Accesses) {
        if (Read.Writes ||
            !(mayBeOneLocalPlace(Read, Write) || mayBeOneLater(Read, Write)))
          continue;
        if (MayMeet &&
            Suspended.lieBetween(*Read.I, *Write.I, flow(Read, Write)))
          return asyncmem::refuse(
              No,
              nameOf(*getUnderlyingObject(Write.Pointer)) +
                  " is read before and written after a remote access, other "
                  "iterations may change it between; hold asyncmem_lock from "
                  "the read to the write",
              Write.I);
        if (unsigned Operation = updateOperation(Read, Write))
          Read.Update = Write.Update = Operation;
      }
    }
    return true;
  }

  /// What an iteration does with a shared variable from one suspension to the next
  /// is a step, and others come between. Where a step shows the variable's value
  /// but does not change it, the iteration has no other one.
  bool checkSharedSteps() {
    for (const Access &Read : Accesses) {
      if (Read.Writes || !isInPlace(*Read.I) || !isShown(*Read.I))
        continue;
      auto IsOfVariable = [&](const Access &Other) {
        return isInPlace(*Other.I) && getUnderlyingObject(Other.Pointer) ==
                                          getUnderlyingObject(Read.Pointer);
      };
      bool IsChanged = any_of(Accesses, [&](const Access &Write) {
        return Write.Writes && IsOfVariable(Write) &&
               Suspended.join(*Read.I, *Write.I);
      });
      bool IsAlone = none_of(Accesses, [&](const Access &Other) {
        return IsOfVariable(Other) && (Suspended.separate(*Read.I, *Other.I) ||
                                       Suspended.separate(*Other.I, *Read.I));
      });
      if (!IsChanged && !IsAlone)
        return refuse("a shared variable is used on both sides of a remote "
                      "access, other iterations may change it between; read it "
                      "once, where it is changed",
                      *Read.I);
    }
    return true;
  }

  /// \returns true if other memory than that of shared variables shows what \p Read
  /// has read.
  bool isShown(const Instruction &Read) const {
    ForwardSlice Following(T, Read);
    return any_of(Accesses, [&](const Access &Write) {
      return Write.Writes && !isShared(Write) &&
             Following.mayDecide(*Write.I, Flow::LocalMemory);
    });
  }

  /// \returns true if no other iteration reaches the place by the same address,
  /// surely writes it, or may update it.
  bool isOwn(const Access &A) const {
    return differsAcrossIterations(A.Address, A.Bytes, *T.L, SE) &&
           none_of(Accesses, [&](const Access &Other) {
             return Other.Writes && (meet(A, Other) || mayUpdate(Other, A));
           });
  }

  /// \returns true if \p Write, of local memory, is an update, in which the
  /// pragma lets iterations meet, and may reach the place of \p Other.
  bool mayUpdate(const Access &Write, const Access &Other) const {
    return !Write.Remote && !Other.Remote &&
           mayMeetElsewhere(place(Other), place(Write), *T.L, SE) &&
           any_of(Accesses, [&](const Access &Read) {
             return !Read.Writes && Read.Address == Write.Address;
           });
  }

  unsigned updateOperation(const Access &Read, const Access &Write) const {
    auto *Load = dyn_cast<LoadInst>(Read.I);
    auto *Store = dyn_cast<StoreInst>(Write.I);
    bool IsOnePlace = Read.Address == Write.Address;
    return Load && Store && IsOnePlace ? updateOpcode(*Store, *Load) : 0;
  }

  /// \returns the objects without a mark that \p A may reach; what a remote place
  /// points to, as a tree's nodes do, is remote.
  SmallVector<const Value *, 2> localObjects(const Access &A) const {
    if (!A.Remote)
      return {getUnderlyingObject(A.Pointer)};
    SmallVector<const Value *, 2> Objects;
    for (auto [I, Object] : T.UnmarkedObjects)
      if (I == A.I && !T.isRemote(dyn_cast<Instruction>(Object)))
        Objects.push_back(getUnderlyingObject(Object));
    return Objects;
  }

  static Place place(const Access &A) { return {A.Pointer, int64_t(A.Bytes)}; }

  /// \returns true if the accesses may share bytes of local memory in one
  /// iteration; of remote accesses, if they may reach one local object instead.
  bool mayBeOneLocalPlace(const Access &A, const Access &B) const {
    if (!A.Remote && !B.Remote)
      return mayOverlap(place(A), place(B), *T.L, SE);
    return any_of(localObjects(A), [&](const Value *Object) {
      return is_contained(localObjects(B), Object);
    });
  }

  /// Where equal operations are all that relates the accesses, these may be those
  /// of different iterations of an inner loop: memory is another one then.
  Flow flow(const Access &Read, const Access &Write) const {
    bool IsKnown = Read.Remote || Write.Remote ||
                   overlapByDistance(place(Read), place(Write), *T.L, SE);
    return IsKnown ? Flow::AnyMemory : Flow::Registers;
  }

  /// \returns true if an iteration of an inner loop may write what an earlier one
  /// has read, and hands on.
  bool mayBeOneLater(const Access &Read, const Access &Write) const {
    if (Read.Remote || Write.Remote)
      return false;
    const BasicBlock *Header =
        overlapLater(place(Read), place(Write), *T.L, SE);
    return Header && ForwardSlice(T, *Read.I).mayReachLater(*Write.I, *Header);
  }

  bool meet(const Access &A, const Access &B) const {
    return A.Where && B.Where &&
           meetAcrossIterations(*A.Where, *B.Where, MaxTrips, *T.L, SE);
  }

  /// Tasks are launched in the order of iterations and run up to their first
  /// remote access at once.
  bool keepTheirOrder(const Access &A, const Access &B) const {
    return !Suspended.mayPrecede(*A.I) && !Suspended.mayPrecede(*B.I);
  }

  bool isShared(const Access &A) const {
    return isInPlace(*A.I) || is_contained(T.SharedStores, A.I);
  }

  /// \returns true if the accesses, which meet, may come in any order.
  bool commute(const Access &A, const Access &B) const {
    return (A.Update && A.Update == B.Update && areWhole(A, B)) ||
           (isShared(A) && isShared(B));
  }

  /// \returns true if loads or stores that share a byte share all.
  bool areWhole(const Access &A, const Access &B) const {
    auto IsAligned = [](const Access &Of) {
      return getLoadStoreAlignment(Of.I).value() >= Of.Bytes;
    };
    bool IsFixed =
        A.Where->Step == 0 && A.Where->High - A.Where->Low == int64_t(A.Bytes);
    return A.Bytes == B.Bytes && ((IsAligned(A) && IsAligned(B)) ||
                                  (IsFixed && A.Address == B.Address));
  }

  /// \returns true if the program has a name for what \p A reaches.
  static bool isVariable(const Access &A) {
    return isa<GlobalVariable, AllocaInst>(getUnderlyingObject(A.Pointer));
  }

  bool checkMeetings() {
    for (const Access &Write : Accesses) {
      if (!Write.Writes)
        continue;
      for (const Access &Other : Accesses) {
        if (!meet(Write, Other) || commute(Write, Other) ||
            keepTheirOrder(Write, Other))
          continue;
        if (&Other == &Write && Write.Where->Step == 0)
          return refuse("every iteration writes the same variable, the order "
                        "of iterations would show; name it in private() or "
                        "update it by a commutative operation",
                        *Write.I);
        if (!Other.Writes && Write.Where->Step == 0 && Other.Where->Step == 0)
          return asyncmem::refuse(
              No,
              "every iteration reads and writes the same variable, the order "
              "of "
              "iterations would show; if it may, " +
                  StringRef(isVariable(Write)
                                ? "use a local variable that shared_var() "
                                  "names, by no recursive callee"
                                : "hold asyncmem_lock from the read to the "
                                  "write"),
              Other.I);
        return refuse(Other.Writes
                          ? "iterations write the same place in memory, the "
                            "order of iterations would show; give each its own"
                          : "an iteration reads what another one writes, the "
                            "order of iterations would show; read a copy",
                      Other.Writes ? *Write.I : *Other.I);
      }
    }
    return true;
  }
};

} // namespace

bool asyncmem::checkMemoryDependences(TaskLoop &T, ScalarEvolution &SE,
                                      Refusal &No) {
  return DependenceChecker(T, SE, No).check();
}
