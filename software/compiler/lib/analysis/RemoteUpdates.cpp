// SPDX-License-Identifier: Apache-2.0
// Plain updates of remote words, such as x[k[i]]++: between the load and the
// store of one task another one may update the same word, unless the addresses
// surely differ from iteration to iteration, or a clause allows it.
//
// Algorithm: a store joins the update that the first load begins that it may overlap
// with and that decides what or whether it stores. Updates of words that no other
// iteration changes are dropped. If no task can wait between load and stores, nothing
// is to be done; else the region between them, on all paths, must be closed, hold no
// other lock, and be about one word of at most 8 bytes, which is locked there.
//
//   x[k[i]] = f(x[k[i]], *remote);   the region is from the load of x[k[i]] to its store

#include "analysis/Analyses.h"
#include "analysis/Overlap.h"
#include "analysis/Suspensions.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

UpdateRegion::UpdateRegion(const TaskLoop &T, const RemoteUpdate &U)
    : T(T), U(U) {
  findReaching();
  walk();
}

bool UpdateRegion::isInIteration(const BasicBlock *BB) const {
  return BB != T.Header && T.L->contains(BB);
}

/// \returns true if a path from \p From on meets a store before the first load.
bool UpdateRegion::reachesStore(const Instruction *From) const {
  for (const Instruction *I = From; I; I = I->getNextNode()) {
    if (I == U.First)
      return false;
    if (is_contained(U.Stores, I))
      return true;
    if (I->isTerminator())
      return any_of(successors(I->getParent()), [&](const BasicBlock *Next) {
        return isInIteration(Next) && Reaching.contains(Next);
      });
  }
  return false;
}

void UpdateRegion::findReaching() {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const BasicBlock *BB : reverse(T.Blocks))
      if (!Reaching.contains(BB) && reachesStore(&BB->front()))
        Changed |= Reaching.insert(BB).second;
  }
}

void UpdateRegion::walk() {
  walkFrom(U.First->getNextNode());
  for (unsigned N = 0; N != Entered.size(); ++N)
    walkFrom(&Entered[N]->front());
  // A store that some path reaches without the load.
  Open |= Reaching.contains(T.Header);
}

void UpdateRegion::walkFrom(Instruction *From) {
  BasicBlock *BB = From->getParent();
  for (Instruction *I = From; !I->isTerminator(); I = I->getNextNode())
    if (is_contained(U.Stores, I) && !reachesStore(I->getNextNode())) {
      Ends.push_back({I, nullptr});
      return;
    }
  Instruction *Last = BB->getTerminator();
  SmallPtrSet<BasicBlock *, 4> Left;
  for (BasicBlock *Next : successors(BB)) {
    if (!isInIteration(Next)) {
      Open = true;
    } else if (!Reaching.contains(Next)) {
      if (Left.insert(Next).second)
        Ends.push_back({Last, Next});
    } else if (!is_contained(Entered, Next)) {
      Entered.push_back(Next);
    }
  }
}

void UpdateRegion::forEach(function_ref<void(Instruction &)> Visit) const {
  auto VisitFrom = [&](Instruction *From) {
    for (Instruction *I = From; I && I != U.First; I = I->getNextNode()) {
      if (!reachesStore(I))
        return;
      Visit(*I);
    }
  };
  VisitFrom(U.First->getNextNode());
  for (BasicBlock *BB : Entered)
    VisitFrom(&BB->front());
}

namespace {

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
          any_of(Loaded,
                 [&](const Value *Other) { return mayBeEqual(Place, Other); }))
        return true;
    } else if (I.mayWriteToMemory()) {
      return true;
    }
  }
  return false;
}

constexpr char NoPair[] = "not every path leads from one load to one store";

class UpdateFinder {
public:
  UpdateFinder(TaskLoop &T, ScalarEvolution &SE, bool Requests, Refusal &No)
      : T(T), SE(SE), Requests(Requests), No(No), Locks(T) {}

  bool run() {
    for (Instruction *Access : T.Remote)
      if (auto *Store = dyn_cast<StoreInst>(Access); Store && isPlain(*Store))
        add(*Store);
    dropOwn();
    if (!Requests && areUndivided(T.Updates) && areUndivided(OfOtherWords)) {
      append_range(T.Updates, OfOtherWords);
      return checkThrows(/*Owns=*/false);
    }
    if (!OfOtherWords.empty())
      return refuse(NoPair, *OfOtherWords.front().Stores.front());
    return all_of(T.Updates, [&](const RemoteUpdate &U) { return check(U); }) &&
           checkThrows(!T.Updates.empty());
  }

private:
  TaskLoop &T;
  ScalarEvolution &SE;
  bool Requests;
  Refusal &No;
  LockRegions Locks;
  /// Loads that decide about the store of an update whose first load does not say
  /// which word this reads or that writes.
  SmallVector<RemoteUpdate, 2> OfOtherWords;
  /// Stores in a later iteration of an inner loop than a load that decides.
  SmallPtrSet<const StoreInst *, 2> UpdatedLater;

  bool isPlain(const Instruction &Access) const {
    return !Access.isAtomic() && !T.Promised.contains(&Access);
  }

  int64_t bytes(const Instruction &Access) const {
    return accessBytes(&Access);
  }

  Place place(const Instruction &Access) const {
    return {accessPointer(&Access), bytes(Access)};
  }

  /// \returns true if \p Store may follow \p Load in one iteration.
  bool leads(const LoadInst &Load, const StoreInst &Store) const {
    if (Load.getParent() == Store.getParent() && Load.comesBefore(&Store))
      return true;
    return iterationBehind(Load.getParent(), *T.L).contains(Store.getParent());
  }

  bool isUpdate(LoadInst &Load, StoreInst &Store) const {
    return isPlain(Load) && leads(Load, Store) &&
           !(Locks.protects(Load) && Locks.protects(Store)) &&
           (mayOverlap(place(Load), place(Store), *T.L, SE)
                ? ForwardSlice(T, Load).mayDecide(Store, Flow::LocalMemory)
                : isUpdatedLater(Load, Store));
  }

  /// \returns true if an iteration of an inner loop updates the word that an
  /// earlier one has loaded.
  bool isUpdatedLater(LoadInst &Load, StoreInst &Store) const {
    const BasicBlock *Header =
        overlapLater(place(Load), place(Store), *T.L, SE);
    return Header && ForwardSlice(T, Load).mayReachLater(Store, *Header);
  }

  RemoteUpdate &updateFrom(LoadInst &First) {
    for (RemoteUpdate &U : T.Updates)
      if (U.First == &First)
        return U;
    T.Updates.push_back({&First, {}});
    return T.Updates.back();
  }

  /// Adds \p Store to the update that the first load begins that decides about
  /// it, in the order of blocks.
  void add(StoreInst &Store) {
    RemoteUpdate *U = nullptr;
    for (Instruction *Access : T.Remote) {
      auto *Load = dyn_cast<LoadInst>(Access);
      if (!Load || !isUpdate(*Load, Store))
        continue;
      if (!U) {
        U = &updateFrom(*Load);
        U->Stores.push_back(&Store);
      }
      if (!isWordOf(*U, *Load) || !isWordOf(*U, Store))
        OfOtherWords.push_back({Load, {&Store}});
      if (isUpdatedLater(*Load, Store))
        UpdatedLater.insert(&Store);
    }
  }

  /// \returns true if the first load of \p U says which word \p Access reaches.
  bool isWordOf(const RemoteUpdate &U, const Instruction &Access) const {
    return haveFixedDistance(accessPointer(U.First), accessPointer(&Access),
                             SE);
  }

  /// \returns what \p U reads and writes.
  SmallVector<Place, 4> places(const RemoteUpdate &U) const {
    SmallVector<Place, 4> Found = {place(*U.First)};
    for (const StoreInst *Store : U.Stores)
      for (Value *Choice : choices(accessPointer(Store), *T.L))
        Found.push_back({Choice, bytes(*Store)});
    return Found;
  }

  /// Drops the updates whose words surely differ from those that other
  /// iterations update.
  void dropOwn() {
    SmallVector<Place, 8> Changes;
    for (const RemoteUpdate &U : T.Updates)
      append_range(Changes, places(U));
    for (Instruction *Access : T.Remote)
      if (Access->isAtomic() && !isa<LoadInst>(Access))
        Changes.push_back(place(*Access));
    erase_if(T.Updates, [&](const RemoteUpdate &U) {
      return none_of(places(U), [&](const Place &Own) {
        return any_of(Changes, [&](const Place &Other) {
          return mayMeetElsewhere(Own, Other, *T.L, SE);
        });
      });
    });
    erase_if(OfOtherWords, [&](const RemoteUpdate &Other) {
      return none_of(T.Updates, [&](const RemoteUpdate &U) {
        return is_contained(U.Stores, Other.Stores.front());
      });
    });
  }

  bool endsLater(const RemoteUpdate &U) const {
    return any_of(U.Stores, [&](const StoreInst *Store) {
      return UpdatedLater.contains(Store);
    });
  }

  /// \returns true if no task can wait between the load and the stores.
  bool isUndivided(const RemoteUpdate &U) const {
    bool Waits = endsLater(U);
    UpdateRegion(T, U).forEach([&](Instruction &I) {
      Waits |= isLock(I) || (T.isRemote(&I) && !isa<StoreInst>(I));
    });
    return !Waits;
  }

  bool areUndivided(ArrayRef<RemoteUpdate> Updates) const {
    return all_of(Updates,
                  [&](const RemoteUpdate &U) { return isUndivided(U); });
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
    if (Region.isOpen() || endsLater(U))
      return refuse(NoPair, Store);
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

  /// An exception leaves the loop while other tasks wait. \p Owns: tasks own words
  /// then, which nobody would release for a later run of the loop.
  bool checkThrows(bool Owns) {
    const Instruction *Throws = nullptr;
    for (const BasicBlock *BB : T.Blocks)
      for (const Instruction &I : *BB) {
        Owns |= isLock(I) || (Requests && I.isAtomic() && T.isRemote(&I));
        if (isHeapCall(I) && I.mayThrow())
          Throws = &I;
      }
    if (!Owns || !Throws || Throws->getFunction()->doesNotThrow())
      return true;
    return asyncmem::refuse(
        No,
        "operator new may throw in it, and other iterations would never "
        "release their locks; use new (std::nothrow)",
        Throws);
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
