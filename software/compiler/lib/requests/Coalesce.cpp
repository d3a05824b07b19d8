// SPDX-License-Identifier: Apache-2.0
// Coalescing of remote accesses (the paper's section III-C).
//
// Two ways to wait once for several accesses of one basic block: neighbouring
// bytes become one coarse request, and requests that do not need each other's
// result are issued together (aset on the AMU). Only accesses and what computes
// their operands are moved, and only inside their block.
//
//   x = p->a; y = f(z); w = p->b; v = q[i];   ->   {x, w} = 16 bytes at p, v: wait once; ...

#include "requests/Requests.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

// Greedy, block by block: each access moves up to the first group it may join;
// then groups of stores move down to a later group they may join. All of that
// happens in a list of the block's instructions.

namespace {

using Accesses = SmallVector<Instruction *, 4>;

/// The instructions of a block in the order that a plan gives them, while the block
/// stays as it is.
class PlannedOrder {
public:
  /// Moves are appended to \p Moves.
  PlannedOrder(BasicBlock &BB, SmallVectorImpl<Move> &Moves) : Moves(Moves) {
    for (Instruction &I : BB) {
      Number[&I] = Order.size();
      Order.push_back(&I);
    }
  }

  /// As of llvm::Instruction, for instructions of the block.
  Instruction *next(const Instruction *I) const {
    return Order[Number.lookup(I) + 1];
  }

  bool comesBefore(const Instruction *A, const Instruction *B) const {
    return Number.lookup(A) < Number.lookup(B);
  }

  void moveBefore(Instruction *I, Instruction *Position) {
    if (I == Position)
      return;
    Moves.push_back({I, Position});
    auto *From = Order.begin() + Number.lookup(I);
    auto *To = Order.begin() + Number.lookup(Position);
    if (From < To)
      std::rotate(From, From + 1, To);
    else
      std::rotate(To, From, From + 1);
    for (auto *At = std::min(From, To); At <= std::max(From, To); ++At)
      Number[*At] = At - Order.begin();
  }

private:
  SmallVector<Instruction *, 64> Order;
  DenseMap<const Instruction *, unsigned> Number;
  SmallVectorImpl<Move> &Moves;
};

class BlockCoalescer {
public:
  BlockCoalescer(TaskLoop &T, BasicBlock &BB, const CoalesceLimits &Limits,
                 const CoalesceAnalyses &Analyses)
      : T(T), Limits(Limits), Analyses(Analyses), AA(Analyses.AA),
        Order(BB, T.Moves) {}

  void run(ArrayRef<Instruction *> InBlock) {
    for (Instruction *Access : InBlock)
      if (Access->isAtomic() || startsUpdate(Access) || !hoistIntoGroup(Access))
        Groups.push_back({Access});
    for (unsigned I = Groups.size(); I-- > 0;)
      sinkIntoGroup(I);
    for (const Accesses &Group : Groups) {
      std::optional<AccessGroup> Plan = planRequests(Group, Limits, Analyses);
      assert(Plan && "accesses joined that do not fit one group");
      T.Groups.push_back(std::move(*Plan));
    }
  }

private:
  TaskLoop &T;
  const CoalesceLimits &Limits;
  const CoalesceAnalyses &Analyses;
  AAResults &AA;
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
    return planRequests(All, Limits, Analyses).has_value();
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
    return isa<LoadInst>(I) && !mayWrite(T, MemoryLocation::get(&I), AA);
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

// Stores at the end of an iteration, on the AMU.
//
// Nothing in the iteration needs them done. While another iteration follows,
// the handler starts it at once, and the stores finish together with the
// requests that it waits for first: one group of the AMU (aset), opened by one
// iteration and completed by the next. So they cost no switch and no wait.
// Behind the last iteration they are waited for as ever.
//
// The lock of an exclusive update (Ownership.cpp) that they are under is then
// released where that group has finished. A task takes none before that, so tasks
// never wait for each other in a circle.

namespace {

bool isQuiet(const Instruction &I) {
  return !I.mayReadOrWriteMemory() || isa<DbgInfoIntrinsic>(I) || isLifetime(I);
}

/// \returns true if on every path from \p First to the end of the iteration
/// nothing happens in memory.
bool endsIteration(const TaskLoop &T, const Instruction *First) {
  SmallVector<const Instruction *, 8> Work = {First};
  SmallPtrSet<const BasicBlock *, 8> Seen;
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    for (const Instruction *Next = I; Next; Next = Next->getNextNode())
      if (!isQuiet(*Next))
        return false;
    for (const BasicBlock *To : successors(I->getParent()))
      if (To != T.Header && is_contained(T.Blocks, To) &&
          Seen.insert(To).second)
        Work.push_back(&To->front());
  }
  return true;
}

bool isPlain(const AccessGroup &Group) {
  return !Group.mayNeedPieces() &&
         none_of(Group.accesses(),
                 [](Instruction *I) { return I->isAtomic(); });
}

/// \returns true if each iteration waits for \p Group first, in any case.
bool beginsIteration(const TaskLoop &T, const AccessGroup &Group) {
  return Group.accesses().front()->getParent() == T.Header && isPlain(Group) &&
         none_of(Group.Requests, [](const Request &R) { return R.isStore(); });
}

bool isLocking(const Instruction &I) { return isLock(I) || isUnlock(I); }

/// \returns true if the program has locks of its own in the loop.
bool hasOtherLocks(const TaskLoop &T) {
  return anyInstruction(T.Blocks, [&](const Instruction &I) {
    return isLocking(I) &&
           (!T.Owners || getUnderlyingObject(I.getOperand(0)) != T.Owners);
  });
}

/// \returns true if a task waits for \p First before it takes a lock.
bool comesBeforeLocks(const TaskLoop &T, const AccessGroup &First) {
  const Instruction *Access = First.accesses().front();
  return none_of(*T.Header, [&](const Instruction &I) {
    return isLocking(I) && I.comesBefore(Access);
  });
}

/// \returns what releases the lock that the stores of \p Group are under, right
/// behind them; null if there is nothing of the kind.
CallInst *releaseBehind(const AccessGroup &Group) {
  Instruction *I = Group.accesses().back()->getNextNode();
  while (I && isQuiet(*I) && !I->isTerminator())
    I = I->getNextNode();
  return I && isUnlock(*I) ? cast<CallInst>(I) : nullptr;
}

} // namespace

void asyncmem::carryStores(TaskLoop &T, unsigned MaxSlotBytes) {
  AccessGroup &First = T.Groups.front();
  if (!beginsIteration(T, First) || hasOtherLocks(T) ||
      (T.Owners && !comesBeforeLocks(T, First)))
    return;
  unsigned Behind = alignTo(First.slotBytes(), WordBytes);
  for (AccessGroup &Group : T.Groups) {
    uint64_t Slot = PowerOf2Ceil(Behind + Group.slotBytes());
    if (!all_of(Group.Requests, [](const Request &R) { return R.isStore(); }) ||
        First.Requests.size() + Group.Requests.size() > MaxGroupRequests ||
        Slot > MaxSlotBytes || !isPlain(Group))
      continue;
    Group.Release = releaseBehind(Group);
    // Where the lock stays taken the end of the iteration is passed over.
    if (Group.Release
            ? !T.Shared.empty() || !T.leavesAtLatch() ||
                  !endsIteration(T, Group.Release->getNextNode())
            : !endsIteration(T, Group.accesses().back()->getNextNode())) {
      Group.Release = nullptr;
      continue;
    }
    for (Request &R : Group.Requests)
      R.SlotOffset += Behind;
    Group.IsCarried = true;
    First.CompletesCarried = true;
  }
}
