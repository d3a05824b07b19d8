// SPDX-License-Identifier: Apache-2.0

#include "analysis/RemoteUpdates.h"
#include "analysis/AffineAccess.h"
#include "analysis/ForwardSlice.h"
#include "analysis/LockRegions.h"
#include "analysis/UpdateRegion.h"
#include "common/Calls.h"
#include "common/Names.h"
#include "loop/MemoryAccess.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// How many dependent operations are compared to find two equal addresses.
constexpr unsigned MaxDepth = 6;

/// \returns true if A and B may be computed to the same value by the same
/// operations. Loads from one place count as equal: what lies between them
/// seldom changes it.
bool mayBeEqual(const Value *A, const Value *B, unsigned Depth) {
  if (A == B)
    return true;
  for (auto [Joined, Other] : {std::pair(A, B), std::pair(B, A)}) {
    auto *Phi = dyn_cast<PHINode>(Joined);
    if (Depth && Phi &&
        any_of(Phi->incoming_values(), [&, O = Other](Value *In) {
          return mayBeEqual(In, O, Depth - 1);
        }))
      return true;
    auto *Select = dyn_cast<SelectInst>(Joined);
    if (Depth && Select &&
        (mayBeEqual(Select->getTrueValue(), Other, Depth - 1) ||
         mayBeEqual(Select->getFalseValue(), Other, Depth - 1)))
      return true;
  }
  auto *First = dyn_cast<Instruction>(A), *Second = dyn_cast<Instruction>(B);
  if (!Depth || !First || !Second ||
      isa<PHINode, AllocaInst, CallBase>(First) ||
      !First->isSameOperationAs(Second))
    return false;
  return all_of(zip(First->operands(), Second->operands()), [&](auto Pair) {
    return mayBeEqual(std::get<0>(Pair), std::get<1>(Pair), Depth - 1);
  });
}

/// \returns true if \p F, or what it calls, may load a word of memory that is not
/// its own and store it again.
bool mayUpdate(const Function &F, SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return false;
  if (F.isDeclaration())
    return !F.onlyReadsMemory();
  SmallVector<const Value *, 16> Loaded;
  for (const Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Loaded.push_back(Load->getPointerOperand());
  for (const Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      const Function *Callee = Call->getCalledFunction();
      if (!Call->onlyReadsMemory() && !isa<DbgInfoIntrinsic>(Call) &&
          !isMark(*Call) && (!Callee || mayUpdate(*Callee, Seen)))
        return true;
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      const Value *Place = Store->getPointerOperand();
      if (!isa<AllocaInst>(getUnderlyingObject(Place)) &&
          any_of(Loaded, [&](const Value *Other) {
            return mayBeEqual(Place, Other, MaxDepth);
          }))
        return true;
    } else if (I.mayWriteToMemory()) {
      return true;
    }
  }
  return false;
}

class UpdateFinder {
public:
  UpdateFinder(TaskLoop &T, ScalarEvolution &SE, bool Requests, Refusal &No)
      : T(T), SE(SE), Requests(Requests), No(No), Locks(T) {}

  bool run() {
    for (Instruction *Access : T.Remote)
      if (auto *Store = dyn_cast<StoreInst>(Access); Store && isPlain(*Store))
        add(*Store);
    dropOwn();
    if (!Requests && all_of(T.Updates, [&](const RemoteUpdate &U) {
          return isUndivided(U);
        }))
      return true;
    return all_of(T.Updates, [&](const RemoteUpdate &U) { return check(U); });
  }

private:
  TaskLoop &T;
  ScalarEvolution &SE;
  bool Requests;
  Refusal &No;
  LockRegions Locks;

  bool isPlain(const Instruction &Access) const {
    return !Access.isAtomic() && !T.Promised.contains(&Access);
  }

  int64_t bytes(const Instruction &Access) const {
    return accessBytes(&Access);
  }

  bool shareBytes(const Instruction &A, const Instruction &B) const {
    Value *PointerA = accessPointer(&A), *PointerB = accessPointer(&B);
    auto *Distance = dyn_cast<SCEVConstant>(
        SE.getMinusSCEV(SE.getSCEV(PointerB), SE.getSCEV(PointerA)));
    if (!Distance)
      return mayBeEqual(PointerA, PointerB, MaxDepth);
    if (Distance->getAPInt().getSignificantBits() > 32)
      return false;
    int64_t Offset = Distance->getAPInt().getSExtValue();
    return Offset < bytes(A) && -Offset < bytes(B);
  }

  /// \returns true if \p Store may follow \p Load in one iteration.
  bool leads(const LoadInst &Load, const StoreInst &Store) const {
    if (Load.getParent() == Store.getParent() && Load.comesBefore(&Store))
      return true;
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const BasicBlock *, 16> Work = {Load.getParent()};
    while (!Work.empty())
      for (const BasicBlock *Next : successors(Work.pop_back_val()))
        if (Next != T.Header && T.L->contains(Next) && Seen.insert(Next).second)
          Work.push_back(Next);
    return Seen.contains(Store.getParent());
  }

  bool isUpdate(LoadInst &Load, StoreInst &Store) const {
    return isPlain(Load) && shareBytes(Load, Store) && leads(Load, Store) &&
           !(Locks.protects(Load) && Locks.protects(Store)) &&
           ForwardSlice(T, Load).mayDecide(Store, /*Remote=*/false);
  }

  /// Adds \p Store to the update that the first load begins that decides about
  /// it, in the order of blocks.
  void add(StoreInst &Store) {
    for (Instruction *Access : T.Remote) {
      auto *Load = dyn_cast<LoadInst>(Access);
      if (!Load || !isUpdate(*Load, Store))
        continue;
      for (RemoteUpdate &U : T.Updates)
        if (U.First == Load) {
          U.Stores.push_back(&Store);
          return;
        }
      T.Updates.push_back({Load, {&Store}});
      return;
    }
  }

  /// \returns true if \p A and \p B may reach the same object. Pointers from
  /// different variables are taken to reach different ones.
  static bool shareObject(const Instruction &A, const Instruction &B) {
    return mayBeEqual(getUnderlyingObject(accessPointer(&A), 0),
                      getUnderlyingObject(accessPointer(&B), 0), MaxDepth);
  }

  /// \returns true if no iteration reaches the words of \p A and \p B of
  /// another one.
  bool stayApart(const Instruction &A, const Instruction &B) const {
    Value *Low = accessPointer(&A), *High = accessPointer(&B);
    auto *Distance = dyn_cast<SCEVConstant>(
        SE.getMinusSCEV(SE.getSCEV(High), SE.getSCEV(Low)));
    if (!Distance || Distance->getAPInt().getSignificantBits() > 32)
      return false;
    int64_t Offset = Distance->getAPInt().getSExtValue();
    return Offset < 0
               ? stayApart(B, A)
               : differsAcrossIterations(
                     Low, std::max(bytes(A), Offset + bytes(B)), *T.L, SE);
  }

  /// Drops the updates whose words surely differ from those that other
  /// iterations update.
  void dropOwn() {
    SmallVector<Instruction *, 8> Changes;
    for (const RemoteUpdate &U : T.Updates)
      Changes.push_back(U.First);
    for (Instruction *Access : T.Remote)
      if (Access->isAtomic() && !isa<LoadInst>(Access))
        Changes.push_back(Access);
    SmallVector<RemoteUpdate, 2> Shared;
    for (const RemoteUpdate &U : T.Updates)
      if (any_of(Changes, [&](Instruction *Other) {
            return shareObject(*U.First, *Other) &&
                   !stayApart(*U.First, *Other);
          }))
        Shared.push_back(U);
    T.Updates = std::move(Shared);
  }

  /// \returns true if no task can wait between the load and the stores.
  bool isUndivided(const RemoteUpdate &U) const {
    bool Waits = false;
    UpdateRegion(T, U).forEach([&](Instruction &I) {
      Waits |= isLock(I) || (T.isRemote(&I) && !isa<StoreInst>(I));
    });
    return !Waits;
  }

  bool refuse(const Twine &Why, const Instruction &At) {
    return asyncmem::refuse(
        No,
        "updates of a remote word may meet those of other iterations, and " +
            Why +
            "; make them atomic, or name the pointer in "
            "distinct_update() or lossy_update()",
        &At);
  }

  bool check(const RemoteUpdate &U) {
    UpdateRegion Region(T, U);
    const StoreInst &Store = *U.Stores.front();
    if (Region.isOpen())
      return refuse("not every path leads from one load to one store", Store);
    if (bytes(*U.First) > WordBytes ||
        int64_t(U.First->getAlign().value()) < bytes(*U.First))
      return refuse("the word is wide or misaligned", Store);
    const Instruction *Inside = nullptr;
    Region.forEach([&](Instruction &I) {
      bool Owns = isLock(I) || (I.isAtomic() && T.isRemote(&I)) ||
                  any_of(T.Updates, [&](const RemoteUpdate &Other) {
                    return Other.First == &I;
                  });
      if (Owns && !Inside)
        Inside = &I;
    });
    if (Inside)
      return refuse("two such updates, or one and a lock, are interleaved",
                    *Inside);
    SmallPtrSet<const Function *, 8> Seen;
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB)
        if (I.hasMetadata(PlainCallTag) &&
            mayUpdate(*cast<CallBase>(I).getCalledFunction(), Seen))
          return refuse("a recursive callee makes them without suspension at "
                        "its depth limit",
                        I);
    return true;
  }
};

} // namespace

bool asyncmem::findRemoteUpdates(TaskLoop &T, ScalarEvolution &SE,
                                 bool Requests, Refusal &No) {
  return UpdateFinder(T, SE, Requests, No).run();
}

void asyncmem::removeUndividedUpdates(TaskLoop &T) {
  SmallPtrSet<const Instruction *, 8> Waits;
  for (const AccessGroup &Group : T.Groups)
    Waits.insert(Group.accesses().front());
  bool Divided = false;
  for (const RemoteUpdate &U : T.Updates)
    UpdateRegion(T, U).forEach(
        [&](Instruction &I) { Divided |= Waits.contains(&I); });
  if (!Divided)
    T.Updates.clear();
}
