// SPDX-License-Identifier: Apache-2.0
// Strips: loads of an inner loop whose addresses are known before its iterations
// run, on the AMU.
//
// Where an inner loop surely runs so many iterations, each of which loads from an
// address that follows from counters and elements of rows alone (a[row[e]]), a
// task requests these loads for several iterations as one group, waits once, and
// then runs the iterations with values from its slot. A strip ends where what the
// slot has of the row ends: two blocks if there is room, else one. What an iteration
// stores is compared with the addresses of those that follow: if it meets one, the
// rest is requested anew.
//
//   for (e ...) s += a[row[e]];   ->   request a[row[e]] ... a[row[e + 7]]; wait; 8 sums

#include "requests/Requests.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Iterations of a strip: at most the elements of a line that are as large as an
/// address, and never fewer than are worth the code.
constexpr unsigned MaxLength = 8, MinLength = 4;

/// Steps from counters and elements to the addresses of an iteration.
constexpr unsigned MaxOperations = 12;

/// What computing the number of iterations may cost, in simple operations.
constexpr unsigned MaxCost = 8;

/// Where a group lies in the slot that requests so many iterations at once, and
/// the row that gets a place for two blocks in front of it.
struct StripPlace {
  unsigned Offset, Length;
  std::optional<unsigned> Row;
  unsigned RowOffset;
};

class StripPlanner {
public:
  StripPlanner(TaskLoop &T, const CoalesceLimits &Limits,
               const CoalesceAnalyses &Analyses, LoopInfo &LI,
               const TargetTransformInfo &TTI)
      : T(T), Limits(Limits), AA(Analyses.AA), DT(Analyses.DT), SE(Analyses.SE),
        LI(LI), TTI(TTI) {}

  void run() {
    for (AccessGroup &Group : T.Groups) {
      std::optional<Strip> S = plan(Group);
      if (!S)
        continue;
      if (std::optional<StripPlace> Place = findPlace(Group, *S))
        add(Group, std::move(*S), *Place);
    }
  }

private:
  TaskLoop &T;
  const CoalesceLimits &Limits;
  AAResults &AA;
  DominatorTree &DT;
  ScalarEvolution &SE;
  LoopInfo &LI;
  const TargetTransformInfo &TTI;
  SmallPtrSet<const Loop *, 2> Taken;

  bool isUpdated(const Instruction *Load) const {
    return any_of(T.Updates,
                  [&](const RemoteUpdate &U) { return U.First == Load; });
  }

  bool isPlain(const AccessGroup &Group) const {
    return !Group.Row && !Group.IsCarried && !Group.CompletesCarried &&
           !Group.mayNeedPieces() &&
           all_of(Group.accesses(), [&](Instruction *Access) {
             auto *Load = dyn_cast<LoadInst>(Access);
             return Load && Load->isSimple() && !isUpdated(Load);
           });
  }

  /// \returns how often \p Inner is repeated, null if that is not known or needs
  /// another value that the marked loop carries.
  const SCEV *repeatCount(const Loop &Inner) const {
    const SCEV *Repeats = SE.getBackedgeTakenCount(&Inner);
    return isa<SCEVCouldNotCompute>(Repeats)
               ? nullptr
               : inTermsOfCounters(Repeats, *T.L, SE);
  }

  /// \returns true if \p Inner surely runs all its iterations, and that is known
  /// before the first one, as is how many these are.
  bool isCounted(const Loop &Inner) const {
    if (Inner.getParentLoop() != T.L || !Inner.isInnermost() ||
        !Inner.getLoopPreheader() || !Inner.getLoopLatch() ||
        Inner.getExitingBlock() != Inner.getLoopLatch())
      return false;
    const SCEV *Repeats = repeatCount(Inner);
    Instruction *Before = Inner.getLoopPreheader()->getTerminator();
    SCEVExpander Expander(SE, dataLayout(), "repeats");
    if (!Repeats || SE.getTypeSizeInBits(Repeats->getType()) > 64 ||
        !Expander.isSafeToExpandAt(Repeats, Before) ||
        Expander.isHighCostExpansion(Repeats, T.L, MaxCost, &TTI, Before))
      return false;
    unsigned Most = SE.getSmallConstantMaxTripCount(&Inner);
    return (!Most || Most >= MinLength) &&
           all_of(Inner.blocks(), [](const BasicBlock *BB) {
             return isGuaranteedToTransferExecutionToSuccessor(BB);
           });
  }

  const DataLayout &dataLayout() const {
    return T.Header->getModule()->getDataLayout();
  }

  /// Exactly: an iteration's address follows from that of another one.
  std::optional<int64_t> step(Value *V, const Loop &Inner) const {
    if (!SE.isSCEVable(V->getType()))
      return std::nullopt;
    return constantStep(SE.getSCEV(V), Inner, SE);
  }

  bool isAlwaysRun(const Instruction &I, const Loop &Inner) const {
    return DT.dominates(I.getParent(), Inner.getLoopLatch());
  }

  /// Adds \p Load to \p S if it loads elements of a row.
  bool addElement(LoadInst &Load, const Loop &Inner, Strip &S) const {
    auto Row = find_if(T.Rows, [&](const TaskRow &Other) {
      return is_contained(Other.Loads, &Load);
    });
    Value *Pointer = Load.getPointerOperand();
    std::optional<int64_t> Step = step(Pointer, Inner);
    if (Row == T.Rows.end() || !Step || !*Step || !isAlwaysRun(Load, Inner) ||
        !addOperations(Pointer, Inner, S))
      return false;
    StripOperation &Element = S.Operations.emplace_back();
    Element.Operation = &Load;
    Element.Row = Row - T.Rows.begin();
    Element.Pointer = Pointer;
    Element.Step = *Step;
    Element.Alignment = Load.getAlign();
    for (StoreInst *Store : Row->Stores)
      if (Inner.contains(Store))
        S.Stores.insert(Store);
    return true;
  }

  bool addCounter(PHINode &Phi, const Loop &Inner, Strip &S) const {
    if (any_of(S.Counters, [&](auto &Other) { return Other.first == &Phi; }))
      return true;
    std::optional<int64_t> Step = step(&Phi, Inner);
    if (Phi.getParent() != Inner.getHeader() || !Step)
      return false;
    S.Counters.push_back({&Phi, *Step});
    return true;
  }

  /// \returns true if \p Load, of local memory, reads the same at any time while
  /// tasks run.
  bool isConstant(const LoadInst &Load) const {
    return Load.isSimple() && !mayWrite(T, anyPlace(Load, T.Blocks), AA);
  }

  bool mayCopy(const Instruction &I, const Loop &Inner) const {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return !T.isRemote(Load) && isConstant(*Load) &&
             isAlwaysRun(*Load, Inner);
    // Two freezes of one value may differ.
    return !isa<PHINode, FreezeInst>(I) && !I.mayReadOrWriteMemory() &&
           isSafeToSpeculativelyExecute(&I);
  }

  /// Adds to \p S what computes \p V in an iteration. \returns false if another
  /// iteration's value cannot be computed so.
  bool addOperations(Value *V, const Loop &Inner, Strip &S) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Inner.contains(I) ||
        any_of(S.Operations, [&](auto &Other) { return Other.Operation == I; }))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(I); Phi && addCounter(*Phi, Inner, S))
      return true;
    if (auto *Load = dyn_cast<LoadInst>(I); Load && addElement(*Load, Inner, S))
      return true;
    if (!mayCopy(*I, Inner) || S.Operations.size() == MaxOperations ||
        !all_of(I->operands(), [&](Value *Operand) {
          return addOperations(Operand, Inner, S);
        }))
      return false;
    S.Operations.emplace_back().Operation = I;
    return true;
  }

  /// Adds to \p S the rows whose one element is loaded in every iteration before
  /// \p First, and that nothing is stored into: they are compared once a strip.
  void addRowsBeside(const Instruction &First, const Loop &Inner,
                     Strip &S) const {
    for (auto [Number, Row] : enumerate(T.Rows)) {
      LoadInst *Load = Row.Loads.front();
      std::optional<int64_t> Step = step(Load->getPointerOperand(), Inner);
      if (Row.Loads.size() != 1 || !Row.Stores.empty() || Row.Strip || !Step ||
          !*Step || !DT.dominates(Load, &First) || !isAlwaysRun(*Load, Inner) ||
          any_of(S.Operations, [&, Number = Number](const auto &Operation) {
            return Operation.Row == Number;
          }))
        continue;
      StripOperation &Element = S.Beside.emplace_back();
      Element.Operation = Load;
      Element.Row = Number;
      Element.Pointer = Load->getPointerOperand();
      Element.Step = *Step;
    }
  }

  bool hasOtherLoads(const StripOperation &Operation) const {
    return Operation.Row && T.Rows[*Operation.Row].Loads.size() > 1;
  }

  /// \returns the strip for whose iterations \p Group may be requested at once, if
  /// there is one.
  std::optional<Strip> plan(const AccessGroup &Group) const {
    Instruction *First = Group.accesses().front();
    const Loop *Inner = LI.getLoopFor(First->getParent());
    if (!isPlain(Group) || !Inner || Group.Record || Group.Held ||
        Taken.contains(Inner) || !isCounted(*Inner) ||
        !isAlwaysRun(*First, *Inner))
      return std::nullopt;
    Strip S;
    S.RepeatCount = repeatCount(*Inner);
    for (Instruction *Load : Group.accesses()) {
      Value *Pointer = getLoadStorePointerOperand(Load);
      if (Inner->isLoopInvariant(Pointer) ||
          !addOperations(Pointer, *Inner, S) ||
          !findStores(*cast<LoadInst>(Load), Inner->getBlocks(), AA, S.Stores))
        return std::nullopt;
    }
    // Where stores are compared, addresses are computed again, from the slot.
    if (!S.Stores.empty() &&
        any_of(S.Operations, [&](const StripOperation &Operation) {
          return hasOtherLoads(Operation);
        }))
      return std::nullopt;
    for (const StoreInst *Store : S.Stores) {
      // Each iteration would wait for it and compare it with those that follow.
      if (isAlwaysRun(*Store, *Inner))
        return std::nullopt;
      if (!DT.dominates(First, Store))
        S.Before.insert(Store);
    }
    addRowsBeside(*First, *Inner, S);
    return S;
  }

  /// Bytes of the slot that groups use, but \p Group and those of \p Row.
  unsigned usedBytes(const AccessGroup &Group,
                     std::optional<unsigned> Row = std::nullopt) const {
    unsigned End = 0;
    for (const AccessGroup &Other : T.Groups)
      if (&Other != &Group && (!Row || Other.Row != Row))
        End = std::max(End, Other.slotBytes());
    return alignTo(End, WordBytes);
  }

  /// \returns a place for \p Group behind what all others use of the slot, and for a
  /// second block of the row that it takes addresses from, if there is room.
  std::optional<StripPlace> findPlace(const AccessGroup &Group,
                                      const Strip &S) const {
    for (const StripOperation &Operation : S.Operations) {
      if (!Operation.Row || Operation.Step < 0)
        continue;
      const TaskRow &Row = T.Rows[*Operation.Row];
      if (Row.Loads.size() != 1 || Row.HasNext)
        continue;
      unsigned RowOffset = usedBytes(Group, Operation.Row), End = RowOffset;
      for (const AccessGroup &Other : T.Groups)
        if (Other.Row == Operation.Row)
          End = std::max(End, RowOffset + 2 * Other.Requests.front().bytes());
      if (auto Place = placeAt(alignTo(End, WordBytes), Group, MaxLength)) {
        Place->Row = Operation.Row;
        Place->RowOffset = RowOffset;
        return Place;
      }
    }
    return placeAt(usedBytes(Group), Group, MinLength);
  }

  std::optional<StripPlace> placeAt(unsigned Offset, const AccessGroup &Group,
                                    unsigned AtLeast) const {
    unsigned Bytes = Group.slotBytes(), Length = MaxLength;
    while (Length * Group.Requests.size() > MaxGroupRequests ||
           Offset + Length * Bytes > Limits.MaxSlotBytes)
      if ((Length /= 2) < AtLeast)
        return std::nullopt;
    return StripPlace{Offset, Length, std::nullopt, 0};
  }

  /// Lets \p Group request \p S at \p Place.
  void add(AccessGroup &Group, Strip S, const StripPlace &Place) {
    if (Place.Row)
      makeRoom(*Place.Row, Place.RowOffset);
    Group.Length = Place.Length;
    for (Request &R : Group.Requests)
      R.SlotOffset = Place.Offset + Place.Length * R.SlotOffset;
    const Loop *Inner = LI.getLoopFor(Group.accesses().front()->getParent());
    Taken.insert(Inner);
    Group.RowHeader = Inner->getHeader();
    Group.Strip = std::make_shared<Strip>(std::move(S));
    for (const StripOperation &Operation : Group.Strip->Operations)
      if (Operation.Row && !hasOtherLoads(Operation))
        T.Rows[*Operation.Row].Strip = Group.Strip;
    for (const StripOperation &Element : Group.Strip->Beside)
      T.Rows[*Element.Row].Strip = Group.Strip;
  }

  /// Puts two blocks of row \p Number at \p Offset.
  void makeRoom(unsigned Number, unsigned Offset) {
    TaskRow &Row = T.Rows[Number];
    Row.HasNext = true;
    Row.SlotOffset = Offset;
    for (AccessGroup &Group : T.Groups)
      if (Group.Row == Number) {
        Group.Length = 2;
        Group.Requests.front().SlotOffset = Offset;
      }
  }
};

} // namespace

void asyncmem::planStrips(TaskLoop &T, const CoalesceLimits &Limits,
                          const CoalesceAnalyses &Analyses, LoopInfo &LI,
                          const TargetTransformInfo &TTI) {
  if (!T.Synchronizes)
    StripPlanner(T, Limits, Analyses, LI, TTI).run();
}

void asyncmem::countStrips(TaskLoop &T, ScalarEvolution &SE,
                           const LoopInfo &LI) {
  for (const AccessGroup &Group : T.Groups) {
    if (!Group.Strip)
      continue;
    const Loop *Inner = LI.getLoopFor(Group.RowHeader);
    Instruction *End = Inner->getLoopPreheader()->getTerminator();
    IRBuilder<> B(End);
    SCEVExpander Expander(SE, T.Header->getModule()->getDataLayout(),
                          "repeats");
    const SCEV *Repeats =
        SE.getNoopOrZeroExtend(Group.Strip->RepeatCount, B.getInt64Ty());
    [[maybe_unused]] const Instruction *Carried = &T.Header->front();
    Value *Count = Expander.expandCodeFor(Repeats, B.getInt64Ty(), End);
    assert(&T.Header->front() == Carried &&
           "tasks do not know what else the marked loop carries");
    Group.Strip->Repeats =
        B.CreateStore(Count, createVariable(*T.Header->getParent(),
                                            B.getInt64Ty(), "repeats"));
  }
}
