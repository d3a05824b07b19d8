// SPDX-License-Identifier: Apache-2.0
// Remote accesses that find their cache line near: prefetching tasks run on
// there instead of switching. Only hints change, never what a loop computes.
//
// Lines: an access before it in the same task, on every path, waited for the
// line; what lies at a known distance is prefetched together with it.
// Streams: addresses that advance evenly. From iteration to iteration, the line
// is prefetched as many iterations ahead as there are tasks. In an inner loop,
// a task waits once for the first lines of its row, in front of the loop.
//
//   s += p->a; ... t += p->b;   waits at p->a, prefetches the line of p->b there, runs on

#include "requests/Requests.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;
using namespace asyncmem::cost;

namespace {

/// Operations between what is known in front of a loop and a value of its first iteration.
constexpr unsigned MaxDepth = 8;

/// \returns true if what \p V is in the first iteration of \p L, which has a preheader,
/// follows from values known there by a few pure operations.
bool isKnownAtEntry(const Value *V, const Loop &L, unsigned Depth = MaxDepth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (isa<PHINode>(I))
    return I->getParent() == L.getHeader();
  return Depth && isa<GetElementPtrInst, CastInst, BinaryOperator>(I) &&
         !I->isIntDivRem() && all_of(I->operands(), [&](const Value *Operand) {
           return isKnownAtEntry(Operand, L, Depth - 1);
         });
}

/// Bytes near from an access on, counted from the start of its request.
struct KnownLines {
  const SCEV *Address;
  Instruction *Access;
  int64_t Begin, End;
};

/// What is prefetched ahead of the tasks that need it: a row's first lines, or
/// what is at Pointer.
struct Stream {
  Instruction *Position;
  Value *Pointer;
  std::optional<unsigned> Row;
  const SCEV *Address;
  int64_t Step;
  unsigned Bytes;
};

class NearFinder {
public:
  NearFinder(TaskLoop &T, const Machine &On, unsigned Tasks,
             const CoalesceAnalyses &Analyses, LoopInfo &LI)
      : T(T), Mode(On.nearMode()), Tasks(Tasks), SE(Analyses.SE),
        DT(Analyses.DT), LI(LI), HasHardwareStreams(On.followsStreams()) {}

  void run() {
    SmallVector<AccessGroup, 8> Groups = std::move(T.Groups);
    T.Groups.clear();
    for (AccessGroup &Group : Groups)
      visit(Group);
    if (Mode.Streams)
      addStores();
    widenWaits();
    planStreams();
    sortGroups();
  }

private:
  TaskLoop &T;
  NearMode Mode;
  unsigned Tasks;
  ScalarEvolution &SE;
  DominatorTree &DT;
  LoopInfo &LI;
  bool HasHardwareStreams;
  SmallVector<KnownLines, 16> Known;
  SmallVector<Stream, 8> Streams;

  void leave(const Request &R, NearReason Why) {
    for (const AccessPart &Part : R.Parts)
      T.Near.Accesses.push_back({Part.Access, Why});
  }

  static Instruction *firstAccess(const Request &R) {
    return R.Parts.front().Access;
  }

  const SCEV *addressOf(const Request &R) const {
    const SCEV *Address = SE.getSCEV(accessPointer(firstAccess(R)));
    Type *Offset = SE.getEffectiveSCEVType(Address->getType());
    return SE.getAddExpr(
        Address,
        SE.getConstant(Offset, -int64_t(R.Parts.front().Offset), true));
  }

  /// Keeps in T.Groups the requests of \p Group that tasks must wait for.
  void visit(AccessGroup &Group) {
    AccessGroup Far;
    for (Request &R : Group.Requests) {
      const SCEV *Address = addressOf(R);
      Instruction *Access = firstAccess(R);
      if (!Access->isAtomic() && isKnown(R, Address, Access))
        continue;
      if (Access->isAtomic() || !(isStream(R, Address) || isRow(R, Address)))
        Far.Requests.push_back(R);
      Known.push_back({Address, Access, 0, int64_t(R.UsedBytes)});
    }
    if (!Far.Requests.empty())
      T.Groups.push_back(std::move(Far));
  }

  /// \returns \p To - \p From if it is known and short.
  std::optional<int64_t> distance(const SCEV *From, const SCEV *To) const {
    return smallConstant(SE.getMinusSCEV(To, From));
  }

  /// \returns true if what an earlier access waited for, or was prefetched for
  /// it, reaches to \p R, which begins at \p Address and is needed \p Before.
  bool isKnown(const Request &R, const SCEV *Address, Instruction *Before) {
    if (!Mode.Lines)
      return false;
    bool Found = SE.isLoopInvariant(Address, T.L);
    for (KnownLines &K : Known) {
      if (Found)
        break;
      if (!DT.dominates(K.Access, Before))
        continue;
      std::optional<int64_t> Offset = distance(K.Address, Address);
      if (!Offset)
        continue;
      int64_t Begin = std::min(K.Begin, *Offset);
      int64_t End = std::max(K.End, *Offset + int64_t(R.UsedBytes));
      Found = End - Begin <= std::max<int64_t>(K.End - K.Begin, LineBytes);
      if (Found) {
        K.Begin = Begin;
        K.End = End;
      }
    }
    if (Found)
      leave(R, NearReason::Line);
    return Found;
  }

  /// \returns the constant step of \p Address in \p L, 0 if there is none.
  int64_t stepIn(const Loop *L, const SCEV *Address) const {
    return constantStep(Address, *L, SE).value_or(0);
  }

  /// \returns true if \p Term is the same in most iterations: made of local
  /// places that are read anew only because a store might have changed them.
  bool isSteady(const SCEV *Term) const {
    return !SCEVExprContains(Term, [&](const SCEV *S) {
      auto *Leaf = dyn_cast<SCEVUnknown>(S);
      auto *Load = Leaf ? dyn_cast<LoadInst>(Leaf->getValue()) : nullptr;
      if (Load && T.L->isLoopInvariant(Load->getPointerOperand()))
        return false;
      return isa<SCEVAddRecExpr>(S) || (Leaf && !SE.isLoopInvariant(S, T.L));
    });
  }

  /// \returns the step of \p Address from task to task, 0 if there is none.
  int64_t stepOfTasks(const SCEV *Address) const {
    auto *Sum = dyn_cast<SCEVAddExpr>(Address);
    if (!Sum)
      return stepIn(T.L, Address);
    int64_t Step = 0;
    for (const SCEV *Term : Sum->operands())
      if (int64_t Found = stepIn(T.L, Term))
        Step += Found;
      else if (!isSteady(Term))
        return 0;
    return Step;
  }

  bool isStream(const Request &R, const SCEV *Address) {
    int64_t Step = Mode.Streams ? stepOfTasks(Address) : 0;
    if (!Step)
      return false;
    Instruction *Access = firstAccess(R);
    Streams.push_back({Access, accessPointer(Access), std::nullopt, Address,
                       Step, R.UsedBytes});
    leave(R, NearReason::Stream);
    return true;
  }

  /// Accesses of an inner loop, one behind the other.
  bool isRow(const Request &R, const SCEV *Address) {
    Instruction *Access = firstAccess(R);
    Loop *Inner = LI.getLoopFor(Access->getParent());
    BasicBlock *Before = Inner->getLoopPreheader();
    int64_t Step = Inner == T.L || !Before ? 0 : stepIn(Inner, Address);
    if (!Step || std::abs(Step) > LineBytes)
      return false;
    const SCEV *Start = cast<SCEVAddRecExpr>(Address)->getStart();
    Instruction *Entry = Before->getTerminator();
    if (isKnown(R, Start, Entry))
      return true;
    if (!Mode.Streams || !isKnownAtEntry(accessPointer(Access), *Inner))
      return false;
    int64_t Line = Step < 0 ? -int64_t(LineBytes) : LineBytes;
    int64_t FromTaskToTask = stepOfTasks(Start);
    if (FromTaskToTask)
      Streams.push_back({Entry, nullptr, T.Near.Rows.size(), Start,
                         FromTaskToTask, RowLines * LineBytes});
    else
      waitForRow(Entry);
    T.Near.Rows.push_back(
        {Access, Inner, Entry, Line, /*Waits=*/!FromTaskToTask});
    leave(R, NearReason::Stream);
    return true;
  }

  /// The task waits at \p Entry for the first line.
  void waitForRow(Instruction *Entry) {
    Request Row;
    Row.Parts.push_back({Entry, 0});
    Row.UsedBytes = LineBytes;
    Row.SizeLog2 = Log2_32(LineBytes);
    T.Groups.emplace_back();
    T.Groups.back().Requests.push_back(Row);
  }

  /// Lets tasks wait for all that is known to be near from there on.
  void widenWaits() {
    for (AccessGroup &Group : T.Groups)
      for (Request &R : Group.Requests) {
        auto K = find_if(Known, [&](const KnownLines &K) {
          return K.Access == firstAccess(R);
        });
        if (K == Known.end())
          continue;
        for (AccessPart &Part : R.Parts)
          Part.Offset -= K->Begin;
        R.UsedBytes = K->End - K->Begin;
        R.SizeLog2 = Log2_64_Ceil(R.UsedBytes);
        R.Alignment = commonAlignment(R.Alignment, K->Begin);
      }
  }

  /// Stores that take a new line in each iteration.
  void addStores() {
    for (Instruction *I : T.Remote) {
      auto *Store = dyn_cast<StoreInst>(I);
      if (!Store)
        continue;
      const SCEV *Address = SE.getSCEV(Store->getPointerOperand());
      int64_t Step = stepOfTasks(Address);
      if (std::abs(Step) >= LineBytes)
        Streams.push_back({Store, Store->getPointerOperand(), std::nullopt,
                           Address, Step, 1});
    }
  }

  /// \returns true if \p A and \p B take the same lines some iterations apart.
  bool meet(const Stream &A, const Stream &B) const {
    std::optional<int64_t> Offset = distance(A.Address, B.Address);
    if (!Offset || A.Step != B.Step)
      return false;
    int64_t Step = std::abs(A.Step);
    int64_t Apart = std::abs(*Offset) % Step;
    return std::abs(*Offset) < LineBytes ||
           (std::abs(*Offset) <= PlainIterations * Step &&
            std::min(Apart, Step - Apart) < LineBytes / 2);
  }

  void planStreams() {
    bool Plain = T.Groups.empty();
    SmallVector<const Stream *, 8> Done;
    for (const Stream &S : Streams) {
      int64_t Step = std::abs(S.Step);
      if (any_of(Done, [&](const Stream *Other) { return meet(*Other, S); }) ||
          (Plain && HasHardwareStreams && Step < LineBytes))
        continue;
      Done.push_back(&S);
      int64_t Ahead =
          Plain ? std::max(PlainLines * LineBytes, PlainIterations * Step)
                : alignTo(Step * Tasks, LineBytes) + LineBytes;
      if (S.Step < 0)
        Ahead = -Ahead;
      int64_t Begin = 0, End = S.Bytes;
      for (const KnownLines &K : Known)
        if (K.Access == S.Position)
          std::tie(Begin, End) = std::pair(K.Begin, K.End);
      SmallVector<int64_t, 2> Offsets;
      for (int64_t Offset = Begin; Offset < End; Offset += LineBytes)
        if (Offset - Begin < Step)
          Offsets.push_back(Ahead + Offset);
      T.Near.Streams.push_back({S.Position, S.Pointer, S.Row, Offsets});
    }
  }

  /// Puts the waits in front of inner loops in their places.
  void sortGroups() {
    DenseMap<BasicBlock *, unsigned> Number;
    for (auto [Index, BB] : enumerate(T.Blocks))
      Number[BB] = Index;
    stable_sort(T.Groups, [&](const AccessGroup &A, const AccessGroup &B) {
      Instruction *First = A.accesses().front(), *Second = B.accesses().front();
      if (First->getParent() == Second->getParent())
        return First->comesBefore(Second);
      return Number[First->getParent()] < Number[Second->getParent()];
    });
  }
};

} // namespace

void asyncmem::planNear(TaskLoop &T, const Machine &On, unsigned Tasks,
                        const CoalesceAnalyses &Analyses, LoopInfo &LI) {
  NearFinder(T, On, Tasks, Analyses, LI).run();
}

/// \returns what \p V is in the first iteration of \p L, computed at the end of the preheader of \p L.
static Value *computeAtEntry(Value *V, const Loop &L) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getIncomingValueForBlock(L.getLoopPreheader());
  Instruction *Copy = I->clone();
  for (Use &Operand : Copy->operands())
    Operand.set(computeAtEntry(Operand, L));
  Copy->dropPoisonGeneratingFlags();
  Copy->insertBefore(L.getLoopPreheader()->getTerminator());
  return Copy;
}

static CallInst *prefetch(IRBuilder<> &B, Value *Pointer, int64_t Offset,
                          bool ForStore = false) {
  return B.CreateIntrinsic(
      Intrinsic::prefetch, {Pointer->getType()},
      {Offset ? B.CreateGEP(B.getInt8Ty(), Pointer, B.getInt64(Offset))
              : Pointer,
       B.getInt32(ForStore), B.getInt32(HighLocality), B.getInt32(DataCache)});
}

/// The task waits at \p Row.Entry for the line at \p First; the next ones come on
/// the way.
static void waitForRow(TaskLoop &T, const RowPrefetch &Row, Value *First) {
  IRBuilder<> B(Row.Entry);
  B.SetCurrentDebugLocation(Row.Access->getDebugLoc());
  for (unsigned I = RowLines; I-- > 1;)
    prefetch(B, First, I * Row.Line);
  auto Group = find_if(T.Groups, [&](const AccessGroup &Other) {
    return Other.Requests.front().Parts.front().Access == Row.Entry;
  });
  assert(Group != T.Groups.end() && "nothing waits for a row");
  Group->Requests.front().Parts.front().Access = prefetch(B, First, 0);
}

/// \returns the first element's address, known in front of the inner loop.
static Value *prefetchRow(TaskLoop &T, const RowPrefetch &Row) {
  Value *First = computeAtEntry(accessPointer(Row.Access), *Row.Inner);
  IRBuilder<> B(Row.Access);
  prefetch(B, accessPointer(Row.Access), RowLines * Row.Line);
  if (Row.Waits)
    waitForRow(T, Row, First);
  return First;
}

void asyncmem::insertPrefetches(TaskLoop &T) {
  SmallVector<Value *, 2> FirstOfRow;
  for (const RowPrefetch &Row : T.Near.Rows)
    FirstOfRow.push_back(prefetchRow(T, Row));
  for (const StreamPrefetch &S : T.Near.Streams) {
    IRBuilder<> B(S.Position);
    for (int64_t Offset : S.Offsets)
      prefetch(B, S.Row ? FirstOfRow[*S.Row] : S.Pointer, Offset,
               isa<StoreInst>(S.Position));
  }
}
