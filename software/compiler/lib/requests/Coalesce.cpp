// SPDX-License-Identifier: Apache-2.0
// Greedy, block by block: each access moves up to the first group it may join;
// then groups of stores move down to a later group they may join. All of that
// happens in a list of the block's instructions.

#include "requests/Coalesce.h"
#include "requests/RequestPlan.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

using Accesses = SmallVector<Instruction *, 4>;

class BlockCoalescer {
public:
  BlockCoalescer(TaskLoop &T, BasicBlock &BB, const CoalesceLimits &Limits,
                 const CoalesceAnalyses &Analyses)
      : T(T), AA(Analyses.AA), Planner(Limits, Analyses), Order(BB, T.Moves) {}

  void run(ArrayRef<Instruction *> InBlock) {
    for (Instruction *Access : InBlock)
      if (Access->isAtomic() || startsUpdate(Access) || !hoistIntoGroup(Access))
        Groups.push_back({Access});
    for (unsigned I = Groups.size(); I-- > 0;)
      sinkIntoGroup(I);
    for (const Accesses &Group : Groups) {
      std::optional<AccessGroup> Plan = Planner.plan(Group);
      assert(Plan && "accesses joined that do not fit one group");
      T.Groups.push_back(std::move(*Plan));
    }
  }

private:
  TaskLoop &T;
  AAResults &AA;
  RequestPlanner Planner;
  PlannedOrder Order;
  /// In block order; the accesses of one group follow each other.
  SmallVector<Accesses, 4> Groups;

  /// Between it and the store there is to be no further suspension.
  bool startsUpdate(const Instruction *Access) const {
    return any_of(T.Updates,
                  [&](const RemoteUpdate &U) { return U.First == Access; });
  }

  bool endsUpdate(Instruction *Access) const {
    return any_of(T.Updates, [&](const RemoteUpdate &U) {
      return is_contained(U.Stores, Access);
    });
  }

  bool fits(const Accesses &Group, ArrayRef<Instruction *> More) const {
    Accesses All(Group);
    All.append(More.begin(), More.end());
    return Planner.plan(All).has_value();
  }

  /// \returns true if \p Access would see or leave other bytes on the other
  /// side of \p Other.
  bool conflicts(Instruction *Access, Instruction *Other) const {
    if (Other->isAtomic() || Other->isVolatile())
      return true;
    ModRefInfo Effect = AA.getModRefInfo(Other, MemoryLocation::get(Access));
    return isa<LoadInst>(Access) ? isModSet(Effect) : isModOrRefSet(Effect);
  }

  /// \returns true if \p Access may change places with everything from
  /// \p First to \p Last, itself not counted.
  bool mayPass(Instruction *Access, Instruction *First,
               Instruction *Last) const {
    for (Instruction *I = First;; I = Order.next(I)) {
      if (I != Access && (conflicts(Access, I) ||
                          !isGuaranteedToTransferExecutionToSuccessor(I)))
        return false;
      if (I == Last)
        return true;
    }
  }

  /// \returns true if \p I loads what nothing in the loop writes. Other local
  /// data must not be read earlier: a task may change it at a suspension.
  bool isConstantInLoop(Instruction &I) const {
    if (!isa<LoadInst>(I))
      return false;
    MemoryLocation Place = MemoryLocation::get(&I);
    return none_of(T.Blocks, [&](BasicBlock *BB) {
      return any_of(*BB, [&](Instruction &Other) {
        return Other.mayWriteToMemory() &&
               isModSet(AA.getModRefInfo(&Other, Place));
      });
    });
  }

  /// Collects in \p Slice what must move in front of \p First so that \p V can
  /// be used there. \returns false if something cannot move.
  bool collectSlice(Value *V, Instruction *First,
                    SmallPtrSetImpl<Instruction *> &Slice) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() != First->getParent() ||
        Order.comesBefore(I, First) || Slice.contains(I))
      return true;
    if (T.isRemote(I) || I->mayHaveSideEffects() || isa<PHINode>(I))
      return false;
    if (I->mayReadFromMemory() && !isConstantInLoop(*I))
      return false;
    for (Value *Op : I->operands())
      if (!collectSlice(Op, First, Slice))
        return false;
    Slice.insert(I);
    return true;
  }

  bool hoistIntoGroup(Instruction *Access) {
    for (Accesses &Group : Groups) {
      Instruction *First = Group.front();
      SmallPtrSet<Instruction *, 8> Slice;
      if (!fits(Group, {Access}) || !mayPass(Access, First, Access) ||
          !all_of(Access->operands(),
                  [&](Value *Op) { return collectSlice(Op, First, Slice); }))
        continue;
      for (Instruction *I = First; I != Access;) {
        Instruction *Next = Order.next(I);
        if (Slice.contains(I))
          Order.moveBefore(I, First);
        I = Next;
      }
      Order.moveBefore(Access, Order.next(Group.back()));
      Group.push_back(Access);
      return true;
    }
    return false;
  }

  /// Moves group \p Index, if it only stores, down into a later group.
  void sinkIntoGroup(unsigned Index) {
    Accesses Stores = Groups[Index];
    if (!all_of(Stores, [&](Instruction *I) {
          return isa<StoreInst>(I) && !endsUpdate(I);
        }))
      return;
    for (unsigned Later = Index + 1; Later != Groups.size(); ++Later) {
      Accesses &Target = Groups[Later];
      if (!fits(Target, Stores) || !all_of(Stores, [&](Instruction *Store) {
            return mayPass(Store, Store, Target.back());
          }))
        continue;
      for (Instruction *Store : Stores)
        Order.moveBefore(Store, Target.front());
      Target.insert(Target.begin(), Stores.begin(), Stores.end());
      Groups.erase(Groups.begin() + Index);
      return;
    }
  }
};

} // namespace

void asyncmem::planGroups(TaskLoop &T, const CoalesceLimits &Limits,
                          const CoalesceAnalyses &Analyses) {
  for (BasicBlock *BB : T.Blocks) {
    Accesses InBlock;
    for (Instruction *Access : T.Remote)
      if (Access->getParent() == BB &&
          (Limits.StoresSuspend || !isa<StoreInst>(Access)))
        InBlock.push_back(Access);
    if (!InBlock.empty())
      BlockCoalescer(T, *BB, Limits, Analyses).run(InBlock);
  }
}

void asyncmem::moveTogether(TaskLoop &T) {
  for (const Move &M : T.Moves)
    M.I->moveBefore(M.Position);
  T.Moves.clear();
}
