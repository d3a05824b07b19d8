// SPDX-License-Identifier: Apache-2.0
// Rows: loads of an inner loop that lie in sequence, on the AMU.
//
// Instead of an element, a task requests the block of memory around it and
// keeps that in its slot. A load of an element in the same block finds it
// there: no request, no switch. Whether it is the same block is compared when
// the program runs, so nothing relies on the order of the addresses; what an
// iteration itself stores into its block is compared, too, and lets it be
// fetched anew. Of other iterations the pragma promises that they do not write
// what this one reads, from the request on.
//
//   for (k ...) s += x[k];   ->   if (x[k] is in no block of the slot) request 64 bytes; wait; ...

#include "requests/Requests.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

bool changesNoData(const Instruction &I) {
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
  return isLock(I) || isUnlock(I) || isLifetime(I) ||
         (Intrinsic && (isa<DbgInfoIntrinsic>(Intrinsic) ||
                        Intrinsic->isAssumeLikeIntrinsic() ||
                        Intrinsic->getIntrinsicID() == Intrinsic::prefetch));
}

const AllocaInst *local(const StoreInst &Store) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Store.getPointerOperand()));
}

/// A variable that is kept in place (InPlaceTag) counts as captured.
bool isApart(const StoreInst &Store, const MemoryLocation &Place,
             AAResults &AA) {
  const AllocaInst *Variable = local(Store);
  return (Variable && !escapingUse(Variable, /*MayCall=*/false)) ||
         AA.isNoAlias(MemoryLocation::get(&Store), Place);
}

} // namespace

bool asyncmem::findStores(const LoadInst &Load, ArrayRef<BasicBlock *> Blocks,
                          AAResults &AA,
                          SmallSetVector<StoreInst *, 2> &Found) {
  const MemoryLocation Place = anyPlace(Load, Blocks);
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      if (!I.mayWriteToMemory() || changesNoData(I))
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store ? isApart(*Store, Place, AA)
                : !isModSet(AA.getModRefInfo(&I, Place)))
        continue;
      if (!Store || local(*Store))
        return false;
      Found.insert(Store);
    }
  return true;
}

namespace {

/// A block has at least that many elements, or they are no row.
constexpr unsigned MinElements = 4;

/// Places in a slot for blocks; more would leave room for too few tasks.
constexpr unsigned MaxRows = 2;

class RowFinder {
public:
  RowFinder(TaskLoop &T, const CoalesceAnalyses &Analyses, LoopInfo &LI)
      : T(T), AA(Analyses.AA), SE(Analyses.SE), LI(LI) {}

  void run() {
    SmallVector<AccessGroup, 8> Groups;
    for (const AccessGroup &Group : T.Groups)
      append_range(Groups, consider(Group));
    T.Groups = std::move(Groups);
    if (!T.Rows.empty())
      layOut();
  }

private:
  TaskLoop &T;
  AAResults &AA;
  ScalarEvolution &SE;
  LoopInfo &LI;

  /// \returns what \p S grows by in an iteration of \p Inner, as far as
  /// that can be seen: counters may wrap.
  std::optional<int64_t> step(const SCEV *S, const Loop *Inner) const {
    if (SE.isLoopInvariant(S, Inner))
      return 0;
    if (auto *Cast = dyn_cast<SCEVCastExpr>(S))
      return step(Cast->getOperand(), Inner);
    if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S)) {
      return Recurrence->getLoop() == Inner
                 ? smallConstant(Recurrence->getStepRecurrence(SE))
                 : std::nullopt;
    }
    if (auto *Product = dyn_cast<SCEVMulExpr>(S)) {
      auto *Factor = dyn_cast<SCEVConstant>(Product->getOperand(0));
      if (!Factor || Product->getNumOperands() != 2 ||
          Factor->getAPInt().getSignificantBits() > 16)
        return std::nullopt;
      std::optional<int64_t> Step = step(Product->getOperand(1), Inner);
      return Step ? std::optional(*Step * Factor->getAPInt().getSExtValue())
                  : std::nullopt;
    }
    auto *Sum = dyn_cast<SCEVAddExpr>(S);
    if (!Sum)
      return std::nullopt;
    int64_t Total = 0;
    for (const SCEV *Term : Sum->operands()) {
      std::optional<int64_t> Step = step(Term, Inner);
      if (!Step)
        return std::nullopt;
      Total += *Step;
    }
    return Total;
  }

  /// A task waits in \p Inner for the loads of a loop of an iteration.
  bool hasLoopThatLoads(const Loop &Inner) const {
    return any_of(T.Groups, [&](const AccessGroup &Group) {
      return any_of(Group.accesses(), [&](const Instruction *Access) {
        const Loop *At = LI.getLoopFor(Access->getParent());
        return isa<LoadInst>(Access) && At != &Inner && Inner.contains(At);
      });
    });
  }

  /// Where a row begins anew in each iteration of a further loop, as the few
  /// elements of a record in a list, a block is hardly used again.
  bool liesInRow(const LoadInst &Load) const {
    const Loop *Inner = LI.getLoopFor(Load.getParent());
    if (!Inner || Inner->getParentLoop() != T.L || hasLoopThatLoads(*Inner))
      return false;
    const Value *Pointer = Load.getPointerOperand();
    std::optional<int64_t> Step =
        step(SE.getSCEV(const_cast<Value *>(Pointer)), Inner);
    return Step && *Step && std::abs(*Step) * MinElements <= LineBytes;
  }

  bool haveFixedDistance(const Instruction &A, const Instruction &B) const {
    return constantDistance(accessPointer(&A), accessPointer(&B), SE)
        .has_value();
  }

  bool isUpdated(const LoadInst &Load) const {
    return any_of(T.Updates,
                  [&](const RemoteUpdate &U) { return U.First == &Load; });
  }

  /// \returns the row whose place \p Load can have, too, as it is used in other
  /// inner loops alone; none may be left.
  TaskRow *otherLoopsRow(const LoadInst &Load) {
    const Loop *Inner = LI.getLoopFor(Load.getParent());
    return find_if(T.Rows, [&](const TaskRow &Row) {
      return none_of(Row.Loads, [&](const LoadInst *Other) {
        return Inner->contains(Other);
      });
    });
  }

  /// \returns the row that \p Load belongs to from now on, if to any.
  std::optional<unsigned> addToRow(LoadInst *Load) {
    if (!Load || !Load->isSimple() || isUpdated(*Load) || !liesInRow(*Load))
      return std::nullopt;
    auto Row = find_if(T.Rows, [&](const TaskRow &Other) {
      return any_of(Other.Loads, [&](const LoadInst *Element) {
        return haveFixedDistance(*Load, *Element);
      });
    });
    if (Row == T.Rows.end() && T.Rows.size() == MaxRows &&
        (Row = otherLoopsRow(*Load)) == T.Rows.end())
      return std::nullopt;
    SmallSetVector<StoreInst *, 2> Stores;
    if (!findStores(*Load, T.Blocks, AA, Stores) ||
        any_of(Stores, [&](StoreInst *Store) {
          return haveFixedDistance(*Store, *Load);
        }))
      return std::nullopt;
    if (Row == T.Rows.end())
      Row = &T.Rows.emplace_back();
    Row->Loads.push_back(Load);
    Row->Stores.insert(Stores.begin(), Stores.end());
    return Row - T.Rows.begin();
  }

  /// \returns what takes the place of \p Group: if all its accesses are elements of
  /// rows, each takes its own block, rarely, and waits for it alone.
  SmallVector<AccessGroup, 2> consider(const AccessGroup &Group) {
    if (Group.Record || Group.Held)
      return {Group};
    SmallVector<TaskRow, 2> Before = T.Rows;
    SmallVector<AccessGroup, 2> Elements;
    for (Instruction *Access : Group.accesses()) {
      std::optional<unsigned> Row = addToRow(dyn_cast<LoadInst>(Access));
      if (!Row) {
        T.Rows = Before;
        return {Group};
      }
      AccessGroup &Element = Elements.emplace_back();
      Element.Row = Row;
      Element.RowHeader = LI.getLoopFor(Access->getParent())->getHeader();
      Element.Requests.emplace_back().Parts.push_back({Access, 0});
    }
    return Elements;
  }

  /// The blocks lie behind what all other groups use of the slot.
  void layOut() {
    unsigned Others = 0;
    for (const AccessGroup &Group : T.Groups)
      if (!Group.Row)
        Others = std::max(Others, Group.slotBytes());
    Others = alignTo(Others, 8);
    unsigned Bytes = LineBytes;
    for (auto [I, Row] : enumerate(T.Rows)) {
      Row.BlockBytes = Bytes;
      Row.SlotOffset = Others + I * Bytes;
    }
    for (AccessGroup &Group : T.Groups) {
      if (!Group.Row)
        continue;
      Request &R = Group.Requests.front();
      R.SizeLog2 = Log2_32(Bytes);
      R.UsedBytes = Bytes;
      R.SlotOffset = T.Rows[*Group.Row].SlotOffset;
      R.Alignment = Align(Bytes);
    }
  }
};

} // namespace

bool asyncmem::synchronizes(const TaskLoop &T) {
  return anyInstruction(T.Blocks, [](const Instruction &I) {
    return I.isAtomic() || isLock(I) || isUnlock(I);
  });
}

void asyncmem::requestRows(TaskLoop &T, const CoalesceAnalyses &Analyses,
                           LoopInfo &LI) {
  if (!T.Synchronizes)
    RowFinder(T, Analyses, LI).run();
}
