// SPDX-License-Identifier: Apache-2.0
// The calls that tell the runtime of accesses, and the table of their places in
// the source.

#include "analysis/Suspensions.h"
#include "asyncmem_check.h"
#include "common/LoopTag.h"
#include "transform/Checker.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

namespace {

constexpr Attribute::AttrKind EffectsOnMemory[] = {
    Attribute::Memory, Attribute::Speculatable, Attribute::NoSync};

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
  Checker(const CheckedLoop &Loop, const CheckAnalyses &Analyses)
      : Analyses(Analyses), Loop(Loop), T(Loop.T), M(*T.Header->getModule()),
        Int(Type::getInt32Ty(M.getContext())),
        Long(Type::getInt64Ty(M.getContext())),
        Expander(Analyses.SE, M.getDataLayout(), "row") {}

  unsigned run() {
    collectCallees();
    // A callee may use whatever the loop uses.
    CheckedAccesses Watched = Loop.Accesses;
    if (Copies.empty())
      erase_if(Watched, [](const CheckedAccess &A) { return !A.IsPromised; });
    if (!Watched.empty())
      change(Watched);
    return Sites.size();
  }

private:
  /// A callee, and whether it is called before the first remote access.
  using CopyKey = PointerIntPair<Function *, 1, bool>;

  CheckAnalyses Analyses;
  const CheckedLoop &Loop;
  const TaskLoop &T;
  Module &M;
  IntegerType *Int, *Long;
  SCEVExpander Expander;
  SmallVector<Constant *, 16> Sites;
  MapVector<CopyKey, Function *> Copies;
  SmallVector<std::pair<CallBase *, Function *>, 4> Calls;
  /// Arguments of the calls that tell of rows of the loop itself.
  SmallVector<SmallVector<Value *, 5>, 4> OwnRows;
  unsigned AccessesInRows = 0;
  /// It writes something else than these.
  bool WritesAlone = false;

  void change(const CheckedAccesses &Watched) {
    instrument(Watched);
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : make_early_inc_range(*BB))
        watchCall(I);
    for (auto [Call, Callee] : Calls)
      redirect(*Call, *Callee);
    for (auto [Key, Copy] : Copies) {
      instrument(checkedAccesses(*Copy, Key.getInt()));
      for (Instruction &I : make_early_inc_range(instructions(*Copy)))
        watchCall(I);
    }
    frame();
  }

  void collectCallees() {
    Suspensions Suspended(T);
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB)
        if (Function *F = watchedCallee(I)) {
          CopyKey Key = {F, !Suspended.mayPrecede(I)};
          Calls.push_back({cast<CallBase>(&I), copyOf(Key)});
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

  static void call(IRBuilderBase &B, const Twine &What,
                   ArrayRef<Value *> Args) {
    callFunction(B, ("__asyncmem_check_" + What).str(), Args)
        ->setDoesNotThrow();
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
    return Loop.Pragma;
  }

  /// \returns the mark of the access, with the number of its site.
  ConstantInt *tell(const CheckedAccess &A) {
    auto Number = [&](unsigned N) { return ConstantInt::get(Int, N); };
    const DILocation *Where = placeOf(A);
    uint32_t Mark = A.Permits | uint32_t(Sites.size()) << CHECK_SITE_SHIFT;
    Sites.push_back(ConstantStruct::getAnon(
        {file(Where), Number(Where ? Where->getLine() : 0),
         Number(Where ? Where->getColumn() : 0), Number(A.Traits),
         Number(constantBytes(A)), ConstantInt::get(Long, A.Bits)}));
    assert(Sites.size() < CHECK_MAX_SITES && "the function would be too large");
    return Number(Mark);
  }

  void instrument(const CheckedAccesses &Accesses) {
    // Calls that come between would hide what the accesses are.
    SmallVector<const CheckedAccess *, 16> Alone;
    SmallVector<std::pair<const CheckedAccess *, CheckedRow>, 4> InRows;
    for (const CheckedAccess &A : Accesses) {
      if (isCovered(A, Accesses))
        continue;
      if (std::optional<CheckedRow> Row = findRow(A))
        InRows.push_back({&A, *Row});
      else
        Alone.push_back(&A);
    }
    for (const auto &[A, Row] : InRows)
      watchRow(*A, Row);
    for (const CheckedAccess *A : Alone)
      watch(*A);
  }

  void watch(const CheckedAccess &A) {
    IRBuilder<> B(A.I);
    std::string What = A.Writes ? "write" : "read";
    SmallVector<Value *, 4> Args = {A.Pointer};
    if (A.String) {
      What += "_string";
      Args.push_back(A.String->Other ? A.String->Other : A.Pointer);
      Args.push_back(A.String->Most ? B.CreateZExtOrTrunc(A.String->Most, Long)
                                    : B.getInt64(UINT64_MAX));
    } else if (isShort(A))
      What += "_" + std::to_string(constantBytes(A));
    else
      Args.push_back(B.CreateZExtOrTrunc(A.Bytes, Long));
    Args.push_back(tell(A));
    WritesAlone |= A.Writes;
    call(B, What, Args);
  }

  /// One place that is written in all iterations meets itself.
  std::optional<CheckedRow> findRow(const CheckedAccess &A) {
    std::optional<CheckedRow> Row = rowOf(A, *T.L, Analyses, Expander);
    if (!Row || Row->L != T.L)
      return Row;
    if ((A.Writes && Row->Step->isZero()) || AccessesInRows == CHECK_MAX_ROWS)
      return std::nullopt;
    ++AccessesInRows;
    return Row;
  }

  /// Tells of it in front of its loop, at once.
  void watchRow(const CheckedAccess &A, const CheckedRow &Row) {
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
        B.CreateOr(tell(A), A.Writes ? CHECK_WRITES : 0)};
    if (Row.L == T.L) {
      OwnRows.push_back(Args);
      return;
    }
    WritesAlone |= A.Writes;
    call(B, "row", Args);
  }

  /// Locks count, and what the heap gives is new.
  void watchCall(Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return;
    IRBuilder<> B(isUnlock(I) ? &I : I.getNextNode());
    B.SetCurrentDebugLocation(I.getDebugLoc());
    if (isLock(I) || isUnlock(I)) {
      call(B, isLock(I) ? "lock" : "unlock", {Call->getArgOperand(0)});
    } else if (isHeapCall(I) && I.getType()->isPointerTy()) {
      StringRef Name = Call->getCalledFunction()->getName();
      Value *Bytes = Call->getArgOperand(0);
      if (Name == "calloc")
        Bytes = B.CreateMul(Bytes, Call->getArgOperand(1));
      else if (Name == "realloc" || Name == "aligned_alloc")
        Bytes = Call->getArgOperand(1);
      call(B, "fresh", {Call, B.CreateZExtOrTrunc(Bytes, Long)});
    }
  }

  /// Tells where the loop begins and ends, and its iterations, unless it uses nothing
  /// but its rows.
  void frame() {
    auto *Type = ArrayType::get(Sites.front()->getType(), Sites.size());
    Constant *Table =
        globalOf(ConstantArray::get(Type, Sites), "asyncmem.sites");
    const DILocation *Where = Loop.Pragma;
    IRBuilder<> B(T.Preheader->getTerminator());
    B.SetCurrentDebugLocation(T.Header->getTerminator()->getDebugLoc());
    Constant *Record = ConstantStruct::getAnon(
        {Table, file(Where), B.getInt32(Where ? Where->getLine() : 0),
         B.getInt32(!WritesAlone)});
    call(B, "begin", {globalOf(Record, "asyncmem.checked")});
    for (const auto &Args : OwnRows)
      call(B, "own_row", Args);
    if (AccessesInRows && AccessesInRows == Sites.size()) {
      call(B, "rows_end", {});
      return;
    }
    B.SetInsertPoint(&*T.Header->getFirstInsertionPt());
    call(B, "iteration", {});
    SmallSetVector<BasicBlock *, 4> Exits;
    for (const ExitEdge &E : T.Exits)
      Exits.insert(E.To);
    for (BasicBlock *Exit : Exits) {
      B.SetInsertPoint(&*Exit->getFirstInsertionPt());
      call(B, "end", {});
    }
  }
};

} // namespace

unsigned asyncmem::checkLoop(const CheckedLoop &Loop,
                             const CheckAnalyses &Analyses) {
  return Checker(Loop, Analyses).run();
}
