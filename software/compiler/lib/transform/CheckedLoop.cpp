// SPDX-License-Identifier: Apache-2.0
// The calls that tell the runtime of accesses, and the table of their places in
// the source.

#include "analysis/Suspensions.h"
#include "asyncmem_check.h"
#include "common/Instructions.h"
#include "frontend/LoopTag.h"
#include "transform/Checker.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

namespace {

constexpr Attribute::AttrKind EffectsOnMemory[] = {
    Attribute::Memory, Attribute::Speculatable, Attribute::NoSync};

/// The calls for one loop.
struct Level {
  const CheckedLoop &Loop;
  /// What the names of its functions in the runtime begin with.
  StringRef Prefix;
  /// The number of accesses that the program checks.
  unsigned Sites = 0;
  /// Arguments of the calls that tell of rows of its own.
  SmallVector<SmallVector<Value *, 5>, 4> OwnRows = {};
  unsigned AccessesInRows = 0;
  /// It writes something else than these.
  bool WritesAlone = false;
};

/// \returns true if the runtime has functions for so many bytes.
bool isShort(const CheckedAccess &A) {
  auto *Bytes = dyn_cast_if_present<ConstantInt>(A.Bytes);
  return Bytes && Bytes->getValue().isPowerOf2() && Bytes->getValue().ule(16);
}

/// A copy of other functions would jump into them.
bool canCopy(const Function &F) {
  return !F.isDeclaration() &&
         none_of(F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); });
}

/// \returns the callee of \p I if it can be watched, else null.
Function *watchedCallee(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && canCopy(*F) && !isLock(I) && !isUnlock(I) && !isHeapCall(I) &&
                 !isFatal(I) && !isMark(I)
             ? F
             : nullptr;
}

/// The copy of a callee writes what the runtime remembers.
void redirect(CallBase &Call, Function &Copy) {
  Call.setCalledFunction(&Copy);
  for (Attribute::AttrKind Kind : EffectsOnMemory)
    Call.removeFnAttr(Kind);
}

/// What a copy does counts for the loop that calls it alone.
void removeTags(Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder())
    if (readTag(*L))
      removeTag(*L);
}

bool isKnown(const DILocation *Where) { return Where && Where->getLine(); }

class Checker {
public:
  Checker(ArrayRef<CheckedLoop> Loops, const CheckAnalyses &Analyses)
      : Analyses(Analyses), T(Loops.front().T), M(*T.Header->getModule()),
        Int(Type::getInt32Ty(M.getContext())),
        Long(Type::getInt64Ty(M.getContext())),
        Expander(Analyses.SE, M.getDataLayout(), "row") {
    assert(Loops.size() <= 2 && "the runtime has two shadow memories");
    Levels.push_back({Loops.front(), "__asyncmem_check_"});
    if (Loops.size() > 1)
      Levels.push_back({Loops.back(), "__asyncmem_check_inner_"});
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
  /// Where the calls of a copy are: in the inner loop, before the first remote
  /// access.
  enum { Inside = 1, Ordered = 2 };
  using CopyKey = PointerIntPair<Function *, 2, unsigned>;

  CheckAnalyses Analyses;
  const TaskLoop &T;
  SmallVector<Level, 2> Levels;
  Module &M;
  IntegerType *Int, *Long;
  SCEVExpander Expander;
  SmallVector<Constant *, 16> Sites;
  MapVector<CopyKey, Function *> Copies;
  SmallVector<std::pair<CallBase *, Function *>, 4> Calls;

  bool isMarked(const Level &L) const { return &L == &Levels.front(); }

  bool isInside(const Instruction &I) const {
    return Levels.size() > 1 && Levels.back().Loop.T.L->contains(&I);
  }

  /// \returns the accesses for which the program calls the runtime. A callee may
  /// use whatever the loop uses.
  CheckedAccesses watchedBy(const Level &L) const {
    CheckedAccesses Watched = L.Loop.Accesses;
    if (none_of(Copies, [&](const auto &Copy) {
          return isMarked(L) || Copy.first.getInt() & Inside;
        }))
      erase_if(Watched, [](const CheckedAccess &A) { return !A.IsPromised; });
    return Watched;
  }

  void change(ArrayRef<CheckedAccesses> Watched) {
    instrument(Watched);
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : make_early_inc_range(*BB))
        watchCall(I);
    for (auto [Call, Callee] : Calls)
      redirect(*Call, *Callee);
    for (auto [Key, Copy] : Copies) {
      CheckedAccesses Accesses = checkedAccesses(*Copy, Key.getInt() & Ordered);
      instrument(SmallVector<CheckedAccesses, 2>(Key.getInt() & Inside ? 2 : 1,
                                                 Accesses));
      for (Instruction &I : make_early_inc_range(instructions(*Copy)))
        watchCall(I);
    }
    auto *Type = ArrayType::get(Sites.front()->getType(), Sites.size());
    Constant *Table =
        globalOf(ConstantArray::get(Type, Sites), "asyncmem.sites");
    for (const Level &L : Levels)
      if (isMarked(L) || L.Sites)
        frame(L, Table);
  }

  void collectCallees() {
    Suspensions Suspended(T);
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB)
        if (Function *F = watchedCallee(I)) {
          unsigned Where = (isInside(I) ? Inside : 0) |
                           (Suspended.mayPrecede(I) ? 0 : Ordered);
          Calls.push_back({cast<CallBase>(&I), copyOf({F, Where})});
        }
  }

  Function *copyOf(CopyKey Key) {
    if (Function *Known = Copies.lookup(Key))
      return Known;
    ValueToValueMapTy Map;
    Function &F = *Key.getPointer();
    Function *Twin = CloneFunction(&F, Map);
    Twin->setName(F.getName() + ".checked");
    Twin->setLinkage(GlobalValue::InternalLinkage);
    Twin->setComdat(nullptr);
    for (Attribute::AttrKind Kind : EffectsOnMemory)
      Twin->removeFnAttr(Kind);
    removeTags(*Twin);
    Copies.insert({Key, Twin});
    for (Instruction &I : instructions(*Twin))
      if (Function *Callee = watchedCallee(I))
        redirect(cast<CallBase>(I), *copyOf({Callee, Key.getInt()}));
    return Twin;
  }

  void call(IRBuilderBase &B, const Twine &Name, ArrayRef<Value *> Args) {
    SmallVector<Type *, 5> Types;
    for (Value *Arg : Args)
      Types.push_back(Arg->getType());
    FunctionCallee Callee = M.getOrInsertFunction(
        Name.str(),
        FunctionType::get(B.getVoidTy(), Types, /*isVarArg=*/false));
    B.CreateCall(Callee, Args)->setDoesNotThrow();
  }

  Constant *globalOf(Constant *Value, StringRef Name) {
    return new GlobalVariable(M, Value->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, Value, Name);
  }

  Constant *file(const DILocation *Where) {
    return IRBuilder<>(M.getContext())
        .CreateGlobalStringPtr(Where ? Where->getFilename() : "?",
                               "asyncmem.file", 0, &M);
  }

  /// \returns where \p A is in the source; where the optimizer has joined
  /// accesses, where something of it is, or the pragma.
  const DILocation *placeOf(const CheckedAccess &A) const {
    SmallVector<const Value *, 8> Near = {A.I};
    Near.append(A.I->op_begin(), A.I->op_end());
    Near.append(A.I->user_begin(), A.I->user_end());
    for (const Value *V : Near)
      if (auto *I = dyn_cast<Instruction>(V); I && isKnown(I->getDebugLoc()))
        return I->getDebugLoc();
    return Levels.front().Loop.Pragma;
  }

  /// \returns the mark of the access, with the number of its site.
  ConstantInt *tell(Level &L, const CheckedAccess &A) {
    auto Number = [&](unsigned N) { return ConstantInt::get(Int, N); };
    const DILocation *Where = placeOf(A);
    uint32_t Mark = A.Permits | uint32_t(Sites.size()) << CHECK_SITE_SHIFT;
    Sites.push_back(ConstantStruct::getAnon(
        {file(Where), Number(Where ? Where->getLine() : 0),
         Number(Where ? Where->getColumn() : 0), Number(A.Traits),
         Number(constantBytes(A)), ConstantInt::get(Long, A.Bits)}));
    assert(Sites.size() < CHECK_MAX_SITES && "the function would be too large");
    ++L.Sites;
    return Number(Mark);
  }

  /// Adds the calls for \p Accesses, those of the marked loop first.
  void instrument(ArrayRef<CheckedAccesses> Accesses) {
    // Calls that come between would hide what the accesses are.
    SmallVector<std::pair<Level *, const CheckedAccess *>, 16> Alone;
    SmallVector<std::tuple<Level *, const CheckedAccess *, CheckedRow>, 4>
        InRows;
    for (unsigned N = 0; N != Accesses.size(); ++N)
      for (const CheckedAccess &A : Accesses[N]) {
        if (isCovered(A, Accesses[N]))
          continue;
        if (std::optional<CheckedRow> Row = findRow(Levels[N], A))
          InRows.push_back({&Levels[N], &A, *Row});
        else
          Alone.push_back({&Levels[N], &A});
      }
    for (const auto &[L, A, Row] : InRows)
      watchRow(*L, *A, Row);
    for (auto [L, A] : Alone)
      watch(*L, *A);
  }

  void watch(Level &L, const CheckedAccess &A) {
    IRBuilder<> B(A.I);
    std::string Name = (L.Prefix + (A.Writes ? "write" : "read")).str();
    SmallVector<Value *, 4> Args = {A.Pointer};
    if (A.String) {
      Name += "_string";
      Args.push_back(A.String->Other ? A.String->Other : A.Pointer);
      Args.push_back(A.String->Most ? B.CreateZExtOrTrunc(A.String->Most, Long)
                                    : B.getInt64(UINT64_MAX));
    } else if (isShort(A))
      Name += "_" + std::to_string(constantBytes(A));
    else
      Args.push_back(B.CreateZExtOrTrunc(A.Bytes, Long));
    Args.push_back(tell(L, A));
    L.WritesAlone |= A.Writes;
    call(B, Name, Args);
  }

  /// One place that is written in all iterations meets itself.
  std::optional<CheckedRow> findRow(Level &L, const CheckedAccess &A) {
    std::optional<CheckedRow> Row = rowOf(A, *L.Loop.T.L, Analyses, Expander);
    if (!Row || Row->L != L.Loop.T.L)
      return Row;
    if ((A.Writes && Row->Step->isZero()) || L.AccessesInRows == CHECK_MAX_ROWS)
      return std::nullopt;
    ++L.AccessesInRows;
    return Row;
  }

  /// Tells of it in front of its loop, at once.
  void watchRow(Level &L, const CheckedAccess &A, const CheckedRow &Row) {
    Instruction *Before = Row.L->getLoopPreheader()->getTerminator();
    auto Expand = [&](const SCEV *S) {
      return Expander.expandCodeFor(S, S->getType(), Before);
    };
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(A.I->getDebugLoc());
    Value *Repeats = B.CreateZExtOrTrunc(Expand(Row.Repeats), Long);
    SmallVector<Value *, 5> Args = {
        Expand(Row.Start), B.CreateZExtOrTrunc(A.Bytes, Long),
        B.CreateSExtOrTrunc(Expand(Row.Step), Long),
        B.CreateAdd(Repeats, B.getInt64(1)),
        B.CreateOr(tell(L, A), A.Writes ? CHECK_WRITES : 0)};
    if (Row.L == L.Loop.T.L) {
      L.OwnRows.push_back(Args);
      return;
    }
    L.WritesAlone |= A.Writes;
    call(B, L.Prefix + "row", Args);
  }

  /// Locks count, and what the heap gives is new.
  void watchCall(Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return;
    IRBuilder<> B(isUnlock(I) ? &I : I.getNextNode());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    if (isLock(I) || isUnlock(I)) {
      call(B, isLock(I) ? "__asyncmem_check_lock" : "__asyncmem_check_unlock",
           {Call->getArgOperand(0)});
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

  /// \returns true if nobody has to tell of its iterations: they use nothing but
  /// its rows, and no inner loop asks in which of them it is.
  bool isToldBefore(const Level &L) const {
    return L.AccessesInRows && L.AccessesInRows == L.Sites &&
           all_of(drop_begin(Levels), [&](const Level &Inner) {
             return &Inner == &L || !Inner.Sites;
           });
  }

  /// Tells where the loop begins and ends, and its iterations.
  void frame(const Level &L, Constant *Table) {
    const TaskLoop &Own = L.Loop.T;
    const DILocation *Where = L.Loop.Pragma;
    IRBuilder<> B(Own.Preheader->getTerminator());
    B.SetCurrentDebugLocation(Own.Header->getTerminator()->getDebugLoc());
    Constant *Loop = ConstantStruct::getAnon(
        {Table, file(Where), B.getInt32(Where ? Where->getLine() : 0),
         B.getInt32(!L.WritesAlone)});
    call(B, L.Prefix + "begin", {globalOf(Loop, "asyncmem.checked")});
    for (const auto &Args : L.OwnRows)
      call(B, L.Prefix + "own_row", Args);
    if (isToldBefore(L)) {
      call(B, L.Prefix + "rows_end", {});
      return;
    }
    B.SetInsertPoint(&*Own.Header->getFirstInsertionPt());
    call(B, L.Prefix + "iteration", {});
    SmallSetVector<BasicBlock *, 4> Exits;
    for (const ExitEdge &E : Own.Exits)
      Exits.insert(E.To);
    for (BasicBlock *Exit : Exits) {
      B.SetInsertPoint(&*Exit->getFirstInsertionPt());
      call(B, L.Prefix + "end", {});
    }
  }
};

} // namespace

SmallVector<unsigned, 2> asyncmem::checkLoops(ArrayRef<CheckedLoop> Loops,
                                              const CheckAnalyses &Analyses) {
  return Checker(Loops, Analyses).run();
}
