// SPDX-License-Identifier: Apache-2.0

#include "analysis/Legality.h"
#include "analysis/AffineAccess.h"
#include "analysis/LockRegions.h"
#include "analysis/Suspensions.h"
#include "common/Calls.h"
#include "common/Commutative.h"
#include "frontend/Clauses.h"
#include "loop/MemoryAccess.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// One read or write of memory that other iterations can reach.
struct Access {
  Instruction *I;
  Value *Pointer;
  bool Writes;
  bool Remote;
  std::optional<AffineAccess> Where;
  /// Operation of the whole commutative update this is a part of, or 0.
  unsigned Update = 0;
};

class DependenceChecker {
public:
  DependenceChecker(TaskLoop &T, ScalarEvolution &SE, Refusal &No)
      : T(T), SE(SE), No(No), Suspended(T), Locks(T),
        MaxTrips(SE.getSmallConstantMaxTripCount(T.L)) {
    for (const Loop *Inner : T.L->getLoopsInPreorder())
      Headers.insert(Inner->getHeader());
  }

  bool check() {
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB)
        collect(I);
    return checkUpdates() && checkMeetings();
  }

private:
  TaskLoop &T;
  ScalarEvolution &SE;
  Refusal &No;
  Suspensions Suspended;
  LockRegions Locks;
  uint64_t MaxTrips;
  /// Of the loop and of those in it: their phis join iterations.
  SmallPtrSet<const BasicBlock *, 8> Headers;
  SmallVector<Access, 16> Accesses;

  bool refuse(StringRef Why, const Instruction &At) {
    return asyncmem::refuse(No, Why, &At);
  }

  void add(Instruction &I, Value *Pointer, uint64_t Bytes, bool Writes) {
    if (is_contained(T.PrivateMemory, getUnderlyingObject(Pointer)))
      return;
    Accesses.push_back({&I, Pointer, Writes, T.isRemote(&I),
                        affineAccess(SE.getSCEV(Pointer), Bytes, *T.L, SE)});
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
      auto *Store = dyn_cast<StoreInst>(Write.I);
      if (!Store || is_contained(T.SharedStores, Store))
        continue;
      bool InPlace = isInPlace(*Store);
      bool IsOwn = Write.Where && !meet(Write, Write);
      for (Access &Read : Accesses) {
        auto *Load = dyn_cast<LoadInst>(Read.I);
        if (!Load || !mayBeOneLocalPlace(Read, Write))
          continue;
        if ((InPlace || !IsOwn) && Suspended.lieBetween(Load, Store))
          return refuse("a local variable is read before and written after a "
                        "remote access, other iterations may change it between",
                        *Store);
        if (unsigned Operation = updateOpcode(*Store, *Load))
          Read.Update = Write.Update = Operation;
      }
    }
    return true;
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

  /// \returns what \p Pointer may be, where paths of one iteration join: two
  /// updates whose ends are alike have become one.
  SmallSetVector<Value *, 4> choices(Value *Pointer) const {
    SmallSetVector<Value *, 4> Found;
    Found.insert(Pointer);
    for (unsigned I = 0; I != Found.size(); ++I) {
      auto *Phi = dyn_cast<PHINode>(Found[I]);
      if (Phi && T.L->contains(Phi) && !Headers.contains(Phi->getParent()))
        for (Value *Incoming : Phi->incoming_values())
          Found.insert(Incoming);
      if (auto *Select = dyn_cast<SelectInst>(Found[I])) {
        Found.insert(Select->getTrueValue());
        Found.insert(Select->getFalseValue());
      }
    }
    return Found;
  }

  /// \returns true if the accesses are made to the same local address on some
  /// path, or may be where a remote one is not remote.
  bool mayBeOneLocalPlace(const Access &A, const Access &B) const {
    if (!A.Remote && !B.Remote)
      return any_of(choices(A.Pointer), [&](Value *OfA) {
        return any_of(choices(B.Pointer), [&](Value *OfB) {
          return SE.getSCEV(OfA) == SE.getSCEV(OfB);
        });
      });
    return any_of(localObjects(A), [&](const Value *Object) {
      return is_contained(localObjects(B), Object);
    });
  }

  bool meet(const Access &A, const Access &B) const {
    return A.Where && B.Where &&
           meetAcrossIterations(*A.Where, *B.Where, MaxTrips, *T.L, SE);
  }

  /// Tasks are launched in the order of iterations and run up to their first
  /// remote access at once.
  bool keepTheirOrder(const Access &A, const Access &B) const {
    return T.BeginsInOrder && !Suspended.mayPrecede(*A.I) &&
           !Suspended.mayPrecede(*B.I);
  }

  bool isShared(const Access &A) const {
    return isInPlace(*A.I) || is_contained(T.SharedStores, A.I);
  }

  bool checkMeetings() {
    for (const Access &Write : Accesses) {
      if (!Write.Writes)
        continue;
      for (const Access &Other : Accesses) {
        bool Commute = (Write.Update && Write.Update == Other.Update) ||
                       (isShared(Write) && isShared(Other));
        if (!meet(Write, Other) || Commute || keepTheirOrder(Write, Other))
          continue;
        if (&Other == &Write && Write.Where->Step == 0)
          return refuse("every iteration writes the same variable, the order "
                        "of iterations would show; name it in private() or "
                        "update it by a commutative operation",
                        *Write.I);
        return refuse(Other.Writes ? "iterations write the same place in "
                                     "memory, the order of iterations would "
                                     "show"
                                   : "an iteration reads what another one "
                                     "writes, the order of iterations would "
                                     "show",
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
