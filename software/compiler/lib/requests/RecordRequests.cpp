// SPDX-License-Identifier: Apache-2.0
// Records: fields that an iteration reads one after the other, on the AMU.
//
// Where a task requests a word and blocks that come later on the same way load
// others near by, at known distances or in an array of known bound, the request
// fetches all of them, and they stay in the slot: no further request, no switch.
// What surely lies in the slot is read there; an element of an array is
// compared with the bytes that are there, when the program runs, and has the
// request of its own if it is none of them.
//
// More is read than the program reads there: only up to words that the iteration
// surely reads later, or inside the page, compared when the program runs. In
// between the iteration stores nothing into the record; of other iterations the
// pragma promises that they do not write what this one reads.
//
//   if (p->key == k) s += p->value;   one request of 16 bytes at p, p->value from the slot

#include "requests/Requests.h"
#include "common/MemoryVariables.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Places in a slot for records.
constexpr unsigned MaxRecords = 2;

/// A longer request pays if it saves at least one switch in so many executions.
constexpr unsigned WorthwhileShare = 4;

/// Longer ones read too much that nobody wants.
constexpr int64_t MaxRecordBytes = 2 * LineBytes;

/// Bytes from Begin to End, counted from where the record's first access is.
struct Range {
  int64_t Begin, End;
  void add(const Range &R) {
    Begin = std::min(Begin, R.Begin);
    End = std::max(End, R.End);
  }
  bool contains(const Range &R) const {
    return Begin <= R.Begin && R.End <= End;
  }
};

/// A group of loads behind the first access of a record.
struct Field {
  unsigned Group;
  Range Bytes;
  /// Its addresses are known, from that of the first access.
  bool IsFixed;
  /// Each iteration that makes the first access makes this one, too.
  bool IsSure;
};

class RecordFinder {
public:
  RecordFinder(TaskLoop &T, unsigned MaxSlotBytes,
               const CoalesceAnalyses &Analyses, LoopInfo &LI,
               BlockFrequencyInfo &Frequencies)
      : T(T), MaxSlotBytes(MaxSlotBytes), AA(Analyses.AA), DT(Analyses.DT),
        SE(Analyses.SE), LI(LI), Frequencies(Frequencies) {}

  void run() {
    for (unsigned I = 0; I != T.Groups.size() && T.Records.size() != MaxRecords;
         ++I)
      if (!T.Groups[I].Held && !IsField.contains(I))
        consider(I);
    if (!T.Records.empty())
      layOut();
  }

private:
  TaskLoop &T;
  unsigned MaxSlotBytes;
  AAResults &AA;
  DominatorTree &DT;
  ScalarEvolution &SE;
  LoopInfo &LI;
  BlockFrequencyInfo &Frequencies;
  /// Groups that never wait any more.
  SmallSet<unsigned, 8> IsField;

  /// \returns true if \p Group only loads, and what it loads may be read earlier.
  bool mayBeEarlier(const AccessGroup &Group) const {
    return all_of(Group.accesses(), [&](const Instruction *I) {
      auto *Load = dyn_cast<LoadInst>(I);
      return Load && Load->isSimple() && !T.Promised.contains(Load) &&
             none_of(T.Updates,
                     [&](const RemoteUpdate &U) { return U.First == Load; });
    });
  }

  std::optional<int64_t> distance(const Value *From, const Value *To) const {
    return constantDistance(From, To, SE);
  }

  /// \returns the bytes that \p Pointer may point to the first of, if it is one
  /// step into an array whose type says how long it is: the comparison when
  /// the program runs makes it true.
  std::optional<Range> arrayRange(const Value *From,
                                  const Value *Pointer) const {
    auto *Gep = dyn_cast<GEPOperator>(Pointer);
    if (!Gep)
      return std::nullopt;
    const DataLayout &DL = T.Header->getModule()->getDataLayout();
    std::optional<int64_t> Start = distance(From, Gep->getPointerOperand());
    if (!Start)
      return std::nullopt;
    Range Bytes = {*Start, *Start};
    Type *Indexed = nullptr;
    for (auto At = gep_type_begin(Gep), End = gep_type_end(Gep); At != End;
         ++At) {
      auto *Index = dyn_cast<ConstantInt>(At.getOperand());
      int64_t First = 0, Last;
      if (StructType *Struct = At.getStructTypeOrNull()) {
        First =
            DL.getStructLayout(Struct)->getElementOffset(Index->getZExtValue());
        Last = First;
      } else {
        int64_t Stride = At.getSequentialElementStride(DL);
        if (Index) {
          First = Last = Index->getSExtValue() * Stride;
        } else {
          auto *Array = dyn_cast_or_null<ArrayType>(Indexed);
          if (!Array || !Array->getNumElements() ||
              Array->getNumElements() > MaxRecordBytes ||
              Stride > MaxRecordBytes)
            return std::nullopt;
          Last = (Array->getNumElements() - 1) * Stride;
        }
      }
      Bytes.Begin += First;
      Bytes.End += Last;
      Indexed = At.getIndexedType();
    }
    return Bytes;
  }

  /// \returns where the accesses of group \p Index lie, from \p Anchor.
  std::optional<Field> locate(const LoadInst *Anchor, unsigned Index) const {
    std::optional<Field> Result;
    for (const Instruction *Access : T.Groups[Index].accesses()) {
      const Value *Pointer = accessPointer(Access);
      std::optional<int64_t> Fixed =
          distance(Anchor->getPointerOperand(), Pointer);
      std::optional<Range> Bytes;
      if (Fixed)
        Bytes = {*Fixed, *Fixed};
      else
        Bytes = arrayRange(Anchor->getPointerOperand(), Pointer);
      if (!Bytes)
        return std::nullopt;
      Bytes->End += accessBytes(Access);
      if (!Result)
        Result = {Index, *Bytes, true, false};
      Result->Bytes.add(*Bytes);
      Result->IsFixed &= Fixed.has_value();
    }
    return Result;
  }

  /// Calls \p Visit with each instruction that may run between \p First and
  /// \p Last, which it dominates. \returns false as soon as that does.
  bool allBetween(Instruction *First, Instruction *Last,
                  function_ref<bool(Instruction &)> Visit) const {
    BasicBlock *Start = First->getParent(), *End = Last->getParent();
    auto VisitRange = [&](BasicBlock::iterator From, BasicBlock::iterator To) {
      return all_of(make_range(From, To), Visit);
    };
    auto Behind = std::next(First->getIterator());
    if (Start == End)
      return VisitRange(Behind, Last->getIterator());
    SmallSetVector<BasicBlock *, 8> Between;
    Between.insert(pred_begin(End), pred_end(End));
    for (unsigned I = 0; I != Between.size(); ++I)
      if (Between[I] != Start)
        Between.insert(pred_begin(Between[I]), pred_end(Between[I]));
    return VisitRange(End->begin(), Last->getIterator()) &&
           all_of(Between, [&](BasicBlock *BB) {
             return VisitRange(BB == Start ? Behind : BB->begin(), BB->end());
           });
  }

  /// \returns true if what \p Load reads is the same all the way from \p Anchor.
  bool isKept(LoadInst *Anchor, LoadInst *Load) const {
    AliasScopes Declared;
    allBetween(Anchor, Load, [&](Instruction &I) {
      addScopes(I, Declared);
      return true;
    });
    const MemoryLocation Place = anyPlace(*Load, Declared);
    return allBetween(Anchor, Load, [&](Instruction &I) {
      if (!I.mayWriteToMemory() || isLifetime(I))
        return true;
      auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      return (Intrinsic && Intrinsic->isAssumeLikeIntrinsic()) ||
             !isModSet(AA.getModRefInfo(&I, Place));
    });
  }

  /// \returns true if every way from \p Anchor leads to \p Load before another
  /// execution of \p Anchor, or the end of the iteration.
  bool isSure(LoadInst *Anchor, LoadInst *Load) const {
    BasicBlock *Start = Anchor->getParent(), *End = Load->getParent();
    auto Passes = [](Instruction &I) {
      return isGuaranteedToTransferExecutionToSuccessor(&I);
    };
    if (Start == End)
      return all_of(make_range(Anchor->getIterator(), Load->getIterator()),
                    Passes);
    auto MayRepeatForever = [&](const BasicBlock *BB) {
      for (const Loop *L = LI.getLoopFor(BB); L && !L->contains(Start);
           L = L->getParentLoop())
        if (!isMustProgress(L))
          return true;
      return false;
    };
    SmallSetVector<BasicBlock *, 8> Reached;
    Reached.insert(Start);
    for (unsigned I = 0; I != Reached.size(); ++I) {
      BasicBlock *BB = Reached[I];
      auto From = BB == Start ? Anchor->getIterator() : BB->begin();
      if (!all_of(make_range(From, BB->end()), Passes) || succ_empty(BB) ||
          MayRepeatForever(BB))
        return false;
      for (BasicBlock *Next : successors(BB)) {
        if (Next == Start || Next == T.Header || !is_contained(T.Blocks, Next))
          return false;
        if (Next != End)
          Reached.insert(Next);
      }
    }
    return all_of(make_range(End->begin(), Load->getIterator()), Passes);
  }

  uint64_t frequency(const AccessGroup &Group) const {
    return Frequencies
        .getBlockFreq(Group.Requests.front().Parts.front().Access->getParent())
        .getFrequency();
  }

  /// \returns the record of \p Bytes with the length of a request, or nothing if
  /// too little of it is wanted or it may not begin there.
  std::optional<Request> cover(const Request &First, const Range &Bytes,
                               unsigned Wanted) const {
    int64_t Origin = -int64_t(First.Parts.front().Offset);
    for (unsigned Down = 0; Down != WordBytes; ++Down) {
      int64_t Begin = Bytes.Begin - Down;
      uint64_t Size = PowerOf2Ceil(Bytes.End - Begin);
      if (Size > std::max(LineBytes, 2 * Wanted) || Size > MaxRecordBytes)
        return std::nullopt;
      Request R = First;
      R.Alignment = commonAlignment(First.Alignment, Origin - Begin);
      R.SizeLog2 = Log2_64(Size);
      R.UsedBytes = Bytes.End - Begin;
      if (R.Alignment < R.neededAlignment())
        continue;
      for (AccessPart &Part : R.Parts)
        Part.Offset += Origin - Begin;
      return R;
    }
    return std::nullopt;
  }

  /// \returns true if a slot still has room when records take \p Bytes.
  bool hasRoom(unsigned Bytes) const {
    unsigned Others = 0;
    for (const AccessGroup &Group : T.Groups)
      if (!Group.Record)
        Others = std::max(Others, Group.slotBytes());
    Bytes = alignTo(Bytes, WordBytes);
    for (const TaskRecord &Record : T.Records)
      Bytes += alignTo(Record.Bytes, WordBytes);
    return PowerOf2Ceil(Bytes + Others) <= MaxSlotBytes;
  }

  void consider(unsigned Index) {
    AccessGroup &Group = T.Groups[Index];
    if (Group.Requests.size() != 1 || !mayBeEarlier(Group))
      return;
    auto *Anchor = cast<LoadInst>(Group.accesses().back());
    Request Whole = Group.Requests.front();
    int64_t Origin = -int64_t(Whole.Parts.front().Offset);
    auto *Base = cast<LoadInst>(Whole.Parts.front().Access);
    Range Bytes = {Origin, Origin + int64_t(Whole.UsedBytes)};
    Range Sure = Bytes;
    unsigned Wanted = Whole.UsedBytes;
    uint64_t Saved = 0;
    SmallVector<Field, 4> Fields;
    for (unsigned I = 0; I != T.Groups.size(); ++I) {
      const AccessGroup &Later = T.Groups[I];
      if (I == Index || IsField.contains(I) || Later.Held || Later.Record ||
          !mayBeEarlier(Later))
        continue;
      SmallVector<Instruction *, 4> Accesses = Later.accesses();
      if (!DT.dominates(Anchor, Accesses.front()) ||
          !all_of(Accesses, [&](Instruction *I) {
            return isKept(Anchor, cast<LoadInst>(I));
          }))
        continue;
      std::optional<Field> F = locate(Base, I);
      if (!F)
        continue;
      F->IsSure = F->IsFixed && isSure(Anchor, cast<LoadInst>(Accesses.back()));
      Range New = Bytes;
      New.add(F->Bytes);
      if (New.End - New.Begin > MaxRecordBytes)
        continue;
      unsigned More = 0;
      for (int64_t B = F->Bytes.Begin; B != F->Bytes.End; ++B)
        More += B < Bytes.Begin || B >= Bytes.End;
      std::optional<Request> R =
          cover(Group.Requests.front(), New, Wanted + More);
      if (!R || !hasRoom(R->bytes()))
        continue;
      Whole = *R;
      Bytes = New;
      Wanted += More;
      if (F->IsSure)
        Sure.add(F->Bytes);
      Saved += frequency(Later);
      Fields.push_back(*F);
    }
    if (Fields.empty() || Saved < frequency(Group) / WorthwhileShare)
      return;
    add(Group, Whole, Sure, Fields);
  }

  void add(AccessGroup &Group, const Request &Whole, const Range &Sure,
           ArrayRef<Field> Fields) {
    int64_t Begin = -int64_t(Whole.Parts.front().Offset);
    Request &R = Group.Requests.front();
    R = Whole;
    R.SureBegin = Sure.Begin - Begin;
    R.SureEnd = Sure.End - Begin;
    Group.Record = T.Records.size();
    TaskRecord &Record = T.Records.emplace_back();
    Record.Bytes = R.bytes();
    for (const Field &F : Fields) {
      bool MayCross = R.mayNeedPieces() && !Sure.contains(F.Bytes);
      AccessGroup &Later = T.Groups[F.Group];
      if (!F.IsFixed || MayCross) {
        const HeldBytes All = {*Group.Record, 0, R.UsedBytes, MayCross};
        const HeldBytes Safe = {*Group.Record, R.SureBegin, R.SureEnd, false};
        Later.Held = R.mayNeedPieces() && !MayCross ? Safe : All;
        continue;
      }
      IsField.insert(F.Group);
      for (Instruction *Access : Later.accesses())
        Record.Fields.push_back(
            {Access,
             unsigned(*distance(accessPointer(Whole.Parts.front().Access),
                                accessPointer(Access)) -
                      Begin)});
    }
  }

  /// Records lie in front of what all other groups use of the slot.
  void layOut() {
    unsigned End = 0;
    for (TaskRecord &Record : T.Records) {
      Record.SlotOffset = End;
      End += alignTo(Record.Bytes, WordBytes);
    }
    SmallVector<AccessGroup, 8> Waiting;
    for (unsigned I = 0; I != T.Groups.size(); ++I) {
      AccessGroup &Group = T.Groups[I];
      if (IsField.contains(I))
        continue;
      for (Request &R : Group.Requests)
        R.SlotOffset +=
            Group.Record ? T.Records[*Group.Record].SlotOffset : End;
      Waiting.push_back(std::move(Group));
    }
    T.Groups.assign(std::make_move_iterator(Waiting.begin()),
                    std::make_move_iterator(Waiting.end()));
  }
};

} // namespace

void asyncmem::requestRecords(TaskLoop &T, unsigned MaxSlotBytes,
                              const CoalesceAnalyses &Analyses, LoopInfo &LI,
                              BlockFrequencyInfo &Frequencies) {
  if (!T.Synchronizes && T.Groups.size() > 1)
    RecordFinder(T, MaxSlotBytes, Analyses, LI, Frequencies).run();
}
