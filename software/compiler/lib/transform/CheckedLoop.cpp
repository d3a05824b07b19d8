// SPDX-License-Identifier: Apache-2.0

#include "transform/CheckedLoop.h"
#include "analysis/Suspensions.h"
#include "asyncmem_check.h"
#include "common/Calls.h"
#include "common/Names.h"
#include "frontend/LoopTag.h"
#include "transform/CheckSites.h"
#include "transform/CheckedCalls.h"
#include "transform/CheckedRows.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

namespace {

constexpr Attribute::AttrKind EffectsOnMemory[] = {
    Attribute::Memory, Attribute::Speculatable, Attribute::NoSync};

/// The calls for one loop.
struct Level {
  Level(const CheckedLoop &Loop, StringRef Prefix)
      : Loop(Loop), Prefix(Prefix) {}

  const CheckedLoop &Loop;
  /// What the names of its functions in the runtime begin with.
  StringRef Prefix;
  /// The number of accesses that the program checks.
  unsigned Sites = 0;
  /// Arguments of the calls that tell of rows of its own.
  SmallVector<SmallVector<Value *, 6>, 4> OwnRows;
  unsigned AccessesInRows = 0;
  /// It writes something else than these.
  bool WritesAlone = false;

  bool hasOnlyRows() const { return AccessesInRows && AccessesInRows == Sites; }
};

class Checker {
public:
  Checker(ArrayRef<CheckedLoop> Loops, const RowAnalyses &Analyses)
      : Rows(Analyses), T(Loops.front().T), M(*T.Header->getModule()),
        Context(M.getContext()), Void(Type::getVoidTy(Context)),
        Int(Type::getInt32Ty(Context)), Long(Type::getInt64Ty(Context)),
        Pointer(PointerType::getUnqual(Context)),
        Sites(M, Loops.front().Pragma) {
    assert(Loops.size() <= 2 && "the runtime has two shadow memories");
    Levels.emplace_back(Loops.front(), "__asyncmem_check_");
    if (Loops.size() > 1)
      Levels.emplace_back(Loops.back(), "__asyncmem_check_inner_");
  }

  SmallVector<unsigned, 2> run() {
    collectCallees();
    SmallVector<CheckedAccesses, 2> Watched;
    for (const Level &L : Levels)
      Watched.push_back(watchedBy(L));
    if (any_of(Watched, [](const auto &Accesses) { return !Accesses.empty(); }))
      change(Watched);
    SmallVector<unsigned, 2> Counts;
    for (const Level &L : Levels)
      Counts.push_back(L.Sites);
    return Counts;
  }

private:
  /// Of a function, for calls in the inner loop or elsewhere.
  using CopyKey = PointerIntPair<Function *, 1, bool>;
  struct Copy {
    Function *F;
    /// Every call of it comes before the first remote access.
    bool Ordered;
  };

  RowFinder Rows;
  const TaskLoop &T;
  SmallVector<Level, 2> Levels;
  Module &M;
  LLVMContext &Context;
  Type *Void, *Int, *Long, *Pointer;
  CheckSites Sites;
  MapVector<CopyKey, Copy> Copies;
  SmallVector<std::pair<CallBase *, Function *>, 4> Calls;

  /// \returns the accesses for which the program calls the runtime. A callee may
  /// use whatever the loop uses.
  CheckedAccesses watchedBy(const Level &L) const {
    CheckedAccesses Watched = L.Loop.Accesses;
    bool HasCallees = any_of(
        Copies, [&](const auto &Entry) { return isCalledIn(L, Entry.first); });
    if (!mayCalleesWrite(L))
      erase_if(Watched, [&](const CheckedAccess &A) {
        return !A.IsPromised && (!HasCallees || !A.Writes);
      });
    return Watched;
  }

  void change(ArrayRef<CheckedAccesses> Watched) {
    instrument(Watched);
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : make_early_inc_range(*BB))
        watchCall(I);
    for (auto [Call, Callee] : Calls)
      redirect(*Call, *Callee);
    for (auto &[Key, Copy] : Copies)
      instrumentCopy(*Copy.F, Key.getInt(), Copy.Ordered);
    frame();
  }

  bool isInside(const Instruction &I) const {
    return Levels.size() > 1 && Levels.back().Loop.T.L->contains(&I);
  }

  bool isCalledIn(const Level &L, CopyKey Key) const {
    return &L == &Levels.front() || Key.getInt();
  }

  CallInst *call(IRBuilderBase &B, StringRef Name, ArrayRef<Value *> Args) {
    SmallVector<Type *, 3> Types;
    for (Value *Arg : Args)
      Types.push_back(Arg->getType());
    FunctionCallee Callee = M.getOrInsertFunction(
        Name, FunctionType::get(Void, Types, /*isVarArg=*/false));
    CallInst *Call = B.CreateCall(Callee, Args);
    Call->setDoesNotThrow();
    return Call;
  }

  /// A copy of other functions would jump into them.
  static bool canCopy(const Function &F) {
    return !F.isDeclaration() && none_of(F, [](const BasicBlock &BB) {
      return BB.hasAddressTaken();
    });
  }

  /// \returns the callee of \p I if it can be watched, else null.
  static Function *watchedCallee(const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *F = Call ? Call->getCalledFunction() : nullptr;
    return F && canCopy(*F) && !isLock(I) && !isUnlock(I) && !isHeapCall(I) &&
                   !isFatal(I) && !isMark(I)
               ? F
               : nullptr;
  }

  void collectCallees() {
    Suspensions Suspended(T);
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB)
        if (Function *F = watchedCallee(I))
          Calls.push_back({cast<CallBase>(&I),
                           copyOf({F, isInside(I)}, !Suspended.mayPrecede(I))});
  }

  Function *copyOf(CopyKey Key, bool Ordered) {
    auto Found = Copies.find(Key);
    if (Found != Copies.end()) {
      if (!Ordered)
        callLate(Found->second);
      return Found->second.F;
    }
    ValueToValueMapTy Map;
    Function &F = *Key.getPointer();
    Function *Twin = CloneFunction(&F, Map);
    Twin->setName(F.getName() + ".checked");
    Twin->setLinkage(GlobalValue::InternalLinkage);
    Twin->setComdat(nullptr);
    for (Attribute::AttrKind Kind : EffectsOnMemory)
      Twin->removeFnAttr(Kind);
    removeTags(*Twin);
    Copies.insert({Key, {Twin, Ordered}});
    for (Instruction &I : instructions(*Twin))
      if (Function *Callee = watchedCallee(I))
        redirect(cast<CallBase>(I), *copyOf({Callee, Key.getInt()}, Ordered));
    return Twin;
  }

  /// Some call of \p Late, and so of what it calls, comes behind a remote access.
  void callLate(Copy &Late) {
    if (!Late.Ordered)
      return;
    Late.Ordered = false;
    for (Instruction &I : instructions(*Late.F))
      for (auto &[Key, Called] : Copies)
        if (auto *Call = dyn_cast<CallBase>(&I);
            Call && Call->getCalledFunction() == Called.F)
          callLate(Called);
  }

  /// What a copy does counts for the loop that calls it alone.
  static void removeTags(Function &F) {
    DominatorTree DT(F);
    LoopInfo LI(DT);
    for (Loop *L : LI.getLoopsInPreorder())
      if (readTag(*L))
        removeTag(*L);
  }

  /// The copy writes what the runtime remembers.
  static void redirect(CallBase &Call, Function &Copy) {
    Call.setCalledFunction(&Copy);
    for (Attribute::AttrKind Kind : EffectsOnMemory)
      Call.removeFnAttr(Kind);
  }

  bool mayCalleesWrite(const Level &L) const {
    return any_of(Copies, [&](const auto &Entry) {
      return isCalledIn(L, Entry.first) &&
             any_of(checkedAccesses(*Entry.second.F, false),
                    [](const CheckedAccess &A) { return A.Writes; });
    });
  }

  /// Adds the calls for \p Accesses, those of the marked loop first.
  void instrument(ArrayRef<CheckedAccesses> Accesses) {
    // Calls that come between would hide what the accesses are.
    SmallVector<WatchedAccess, 16> Watched;
    SmallVector<std::pair<WatchedAccess, CheckedRow>, 4> InRows;
    for (unsigned N = 0; N != Accesses.size(); ++N)
      for (const CheckedAccess &A : Accesses[N]) {
        if (isCovered(A, Accesses[N]))
          continue;
        if (std::optional<CheckedRow> Row = findRow(Levels[N], A))
          InRows.push_back({{N, &A}, *Row});
        else
          Watched.push_back({N, &A});
      }
    SmallVector<WatchedCall, 16> ToAdd =
        joinedCalls(Watched, M.getDataLayout());
    for (const auto &[W, Row] : InRows)
      watchRow(W, Row);
    for (const WatchedCall &C : ToAdd)
      watch(C);
  }

  /// \returns the mark of the access.
  Value *tell(const WatchedAccess &W, IRBuilderBase &B) {
    ++Levels[W.Level].Sites;
    return B.getInt32(Sites.add(*W.A));
  }

  void watch(const WatchedCall &C) {
    const CheckedAccess &A = *C.At;
    IRBuilder<> B(A.I);
    std::string Name = (C.Of.size() > 1 ? "__asyncmem_check_both_"
                                        : Levels[C.Of.front().Level].Prefix)
                           .str() +
                       (A.Writes ? "write" : "read");
    std::string Bytes = "_" + std::to_string(constantBytes(A));
    SmallVector<Value *, 4> Args = {A.Pointer};
    if (C.tellsBefore())
      Args = {B.CreateConstGEP1_64(B.getInt8Ty(), A.Pointer,
                                   -int64_t(constantBytes(A)))};
    if (A.String) {
      Name += "_string";
      Args.push_back(A.String->Other ? A.String->Other : A.Pointer);
      Args.push_back(A.String->Most ? B.CreateZExtOrTrunc(A.String->Most, Long)
                                    : B.getInt64(UINT64_MAX));
    } else if (!isShort(A))
      Args.push_back(B.CreateZExtOrTrunc(A.Bytes, Long));
    else
      Name += C.Behind.empty() ? Bytes : Bytes + Bytes;
    for (unsigned N = 0; N != C.Of.size(); ++N) {
      Levels[C.Of[N].Level].WritesAlone |= A.Writes;
      Args.push_back(tell(C.Of[N], B));
      if (!C.Behind.empty())
        tell(C.Behind[N], B);
    }
    call(B, Name, Args);
  }

  /// What a loop uses in each iteration, a step on from the last, is told in front
  /// of it, at once.
  std::optional<CheckedRow> findRow(Level &L, const CheckedAccess &A) {
    std::optional<CheckedRow> Row = Rows.find(A, *L.Loop.T.L);
    if (!Row || Row->L != L.Loop.T.L)
      return Row;
    // One place in all iterations meets itself.
    bool IsMarked = &L == &Levels.front();
    if (L.AccessesInRows ==
            (IsMarked ? CHECK_MAX_ROWS : CHECK_MAX_INNER_ROWS) ||
        (A.Writes && Row->Step->isZero()))
      return std::nullopt;
    ++L.AccessesInRows;
    return Row;
  }

  void watchRow(const WatchedAccess &W, const CheckedRow &Row) {
    Level &L = Levels[W.Level];
    const CheckedAccess &A = *W.A;
    bool IsOwn = Row.L == L.Loop.T.L;
    IRBuilder<> B(Row.L->getLoopPreheader()->getTerminator());
    B.SetCurrentDebugLocation(A.I->getDebugLoc());
    Value *Mark = B.CreateOr(tell(W, B), A.Writes ? CHECK_WRITES : 0);
    L.WritesAlone |= A.Writes && !IsOwn;
    for (const RowPiece &P : Rows.expand(A, Row))
      if (IsOwn)
        L.OwnRows.push_back({P.Place, P.Bytes, P.Step, P.First, P.Count, Mark});
      else
        call(B, (L.Prefix + "row").str(),
             {P.Place, P.Bytes, P.Step, P.Count, Mark});
  }

  /// Locks count, and what the heap gives is new.
  void watchCall(Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return;
    IRBuilder<> B(I.getNextNode());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    if (isLock(I)) {
      call(B, "__asyncmem_check_lock", {Call->getArgOperand(0)});
    } else if (isUnlock(I)) {
      B.SetInsertPoint(&I);
      call(B, "__asyncmem_check_unlock", {Call->getArgOperand(0)});
    } else if (isHeapCall(I) && I.getType()->isPointerTy()) {
      StringRef Name = Call->getCalledFunction()->getName();
      Value *Bytes = Call->getArgOperand(0);
      if (Name == "calloc")
        Bytes = B.CreateMul(Bytes, Call->getArgOperand(1));
      else if (Name == "realloc" || Name == "aligned_alloc")
        Bytes = Call->getArgOperand(1);
      call(B, "__asyncmem_check_fresh",
           {Call, B.CreateZExtOrTrunc(Bytes, Long)});
    }
  }

  void instrumentCopy(Function &F, bool Inside, bool Ordered) {
    CheckedAccesses Accesses = checkedAccesses(F, Ordered);
    SmallVector<CheckedAccesses, 2> OfLevels(Inside ? 2 : 1, Accesses);
    instrument(OfLevels);
    for (Instruction &I : make_early_inc_range(instructions(F)))
      watchCall(I);
  }

  /// Where loops begin and end, and their iterations.
  void frame() {
    Constant *Table = Sites.table();
    for (const Level &L : Levels)
      if (&L == &Levels.front() || L.Sites)
        frame(L, Table);
  }

  /// \returns true if nobody has to tell of its iterations: they use nothing but
  /// its rows, and no inner loop asks in which of them it is.
  bool isToldBefore(const Level &L) const {
    return L.hasOnlyRows() && all_of(Levels, [&](const Level &Other) {
             return &Other == &L || &Other == &Levels.front() || !Other.Sites;
           });
  }

  void frame(const Level &L, Constant *Table) {
    const TaskLoop &Own = L.Loop.T;
    IRBuilder<> B(Own.Preheader->getTerminator());
    B.SetCurrentDebugLocation(Own.Header->getTerminator()->getDebugLoc());
    auto *LoopType = StructType::get(Context, {Pointer, Pointer, Int, Int});
    const DILocation *Where = L.Loop.Pragma;
    auto *Loop = new GlobalVariable(
        M, LoopType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
        ConstantStruct::get(LoopType, {Table, Sites.file(Where),
                                       B.getInt32(Where ? Where->getLine() : 0),
                                       B.getInt32(!L.WritesAlone)}),
        "asyncmem.checked");
    call(B, (L.Prefix + "begin").str(), {Loop});
    for (const auto &Args : L.OwnRows)
      call(B, (L.Prefix + "own_row").str(), Args);
    if (isToldBefore(L)) {
      call(B, (L.Prefix + "rows_end").str(), {});
      return;
    }
    B.SetInsertPoint(&*Own.Header->getFirstInsertionPt());
    call(B, (L.Prefix + "iteration").str(), {});
    SmallSetVector<BasicBlock *, 4> Exits;
    for (const ExitEdge &E : Own.Exits)
      Exits.insert(E.To);
    for (BasicBlock *Exit : Exits) {
      B.SetInsertPoint(&*Exit->getFirstInsertionPt());
      call(B, (L.Prefix + "end").str(), {});
    }
  }
};

} // namespace

SmallVector<unsigned, 2> asyncmem::checkLoops(ArrayRef<CheckedLoop> Loops,
                                              const RowAnalyses &Analyses) {
  return Checker(Loops, Analyses).run();
}
