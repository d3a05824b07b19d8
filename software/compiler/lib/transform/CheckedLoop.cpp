// SPDX-License-Identifier: Apache-2.0

#include "transform/CheckedLoop.h"
#include "analysis/Suspensions.h"
#include "asyncmem_check.h"
#include "common/Calls.h"
#include "common/Names.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
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

  bool contains(const Instruction &I) const { return Loop.T.L->contains(&I); }
};

class Checker {
public:
  Checker(ArrayRef<CheckedLoop> Loops)
      : T(Loops.front().T), M(*T.Header->getModule()), Context(M.getContext()),
        Void(Type::getVoidTy(Context)), Int(Type::getInt32Ty(Context)),
        Long(Type::getInt64Ty(Context)),
        Pointer(PointerType::getUnqual(Context)) {
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
  /// Of a function, for calls in the inner loop or elsewhere.
  using CopyKey = PointerIntPair<Function *, 1, bool>;
  struct Copy {
    Function *F;
    /// Every call of it comes before the first remote access.
    bool Ordered;
  };

  const TaskLoop &T;
  SmallVector<Level, 2> Levels;
  Module &M;
  LLVMContext &Context;
  Type *Void, *Int, *Long, *Pointer;
  SmallVector<Constant *, 16> Sites;
  StringMap<Constant *> Files;
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
    instrument(Levels, Watched);
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
    return Levels.size() > 1 && Levels.back().contains(I);
  }

  bool isCalledIn(const Level &L, CopyKey Key) const {
    return &L == &Levels.front() || Key.getInt();
  }

  StructType *siteType() const {
    return StructType::get(Context, {Pointer, Int, Int, Int, Int, Long});
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

  /// \returns the callee of \p I if it can be watched, else null.
  static Function *watchedCallee(const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *F = Call ? Call->getCalledFunction() : nullptr;
    return F && !F->isDeclaration() && !isLock(I) && !isUnlock(I) &&
                   !isHeapCall(I) && !isFatal(I) && !isMark(I)
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
      Found->second.Ordered &= Ordered;
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
    Copies.insert({Key, {Twin, Ordered}});
    for (Instruction &I : instructions(*Twin))
      if (Function *Callee = watchedCallee(I))
        redirect(cast<CallBase>(I), *copyOf({Callee, Key.getInt()}, Ordered));
    return Twin;
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

  Constant *file(StringRef Name, IRBuilderBase &B) {
    Constant *&Known = Files[Name];
    if (!Known)
      Known = B.CreateGlobalStringPtr(Name, "asyncmem.file", 0, &M);
    return Known;
  }

  static bool isKnown(const DILocation *Where) {
    return Where && Where->getLine();
  }

  /// \returns where \p A is in the source; where the optimizer has joined
  /// accesses, where something of it is.
  const DILocation *placeOf(const CheckedAccess &A) const {
    SmallVector<const Value *, 8> Near = {A.I};
    Near.append(A.I->op_begin(), A.I->op_end());
    Near.append(A.I->user_begin(), A.I->user_end());
    for (const Value *V : Near)
      if (auto *I = dyn_cast<Instruction>(V); I && isKnown(I->getDebugLoc()))
        return I->getDebugLoc();
    return Levels.front().Loop.Pragma;
  }

  /// \returns the number of a new site, with its mark.
  Value *siteOf(const CheckedAccess &A, IRBuilderBase &B) {
    const DILocation *Where = placeOf(A);
    Sites.push_back(ConstantStruct::get(
        siteType(),
        {file(Where ? Where->getFilename() : "?", B),
         B.getInt32(Where ? Where->getLine() : 0),
         B.getInt32(Where ? Where->getColumn() : 0), B.getInt32(A.Traits),
         B.getInt32(constantBytes(A)), B.getInt64(A.Bits)}));
    assert(Sites.size() < CHECK_MAX_SITES && "the function would be too large");
    return B.getInt32(A.Permits | uint32_t(Sites.size() - 1)
                                      << CHECK_SITE_SHIFT);
  }

  static unsigned line(const Instruction &I) {
    return I.getDebugLoc() ? I.getDebugLoc().getLine() : 0;
  }

  /// \returns true if the write that follows \p Read at once stands for it.
  static bool isCovered(const CheckedAccess &Read,
                        ArrayRef<CheckedAccess> Accesses) {
    if (Read.Writes || !isa<LoadInst>(Read.I))
      return false;
    return any_of(Accesses, [&](const CheckedAccess &Write) {
      return isa<StoreInst>(Write.I) && Write.Pointer == Read.Pointer &&
             Write.Bytes == Read.Bytes && Write.Permits == Read.Permits &&
             line(*Write.I) == line(*Read.I) &&
             Write.I->getParent() == Read.I->getParent() &&
             Read.I->comesBefore(Write.I) &&
             none_of(make_range(Read.I->getIterator(), Write.I->getIterator()),
                     [](const Instruction &I) {
                       return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
                     });
    });
  }

  /// Adds the calls for \p Accesses of each of \p For.
  void instrument(MutableArrayRef<Level> For,
                  ArrayRef<CheckedAccesses> Accesses) {
    // Calls that come between would hide that a write stands for a read.
    SmallVector<std::pair<Level *, const CheckedAccess *>, 16> Watched;
    for (auto [L, Own] : zip(For, Accesses))
      for (const CheckedAccess &A : Own)
        if (!isCovered(A, Own))
          Watched.push_back({&L, &A});
    for (auto [L, A] : Watched)
      watch(*L, *A);
  }

  void watch(Level &L, const CheckedAccess &A) {
    IRBuilder<> B(A.I);
    auto *Bytes = dyn_cast<ConstantInt>(A.Bytes);
    Value *Mark = siteOf(A, B);
    ++L.Sites;
    std::string Name = (L.Prefix + (A.Writes ? "write" : "read")).str();
    if (Bytes && (Bytes->equalsInt(4) || Bytes->equalsInt(8)))
      call(B, Name + "_" + std::to_string(Bytes->getZExtValue()),
           {A.Pointer, Mark});
    else
      call(B, Name, {A.Pointer, B.CreateZExtOrTrunc(A.Bytes, Long), Mark});
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
    if (Inside)
      instrument(Levels, {Accesses, Accesses});
    else
      instrument(Levels[0], Accesses);
    for (Instruction &I : make_early_inc_range(instructions(F)))
      watchCall(I);
  }

  /// Where loops begin and end, and their iterations.
  void frame() {
    auto *SitesType = ArrayType::get(siteType(), Sites.size());
    auto *Table = new GlobalVariable(
        M, SitesType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
        ConstantArray::get(SitesType, Sites), "asyncmem.sites");
    for (const Level &L : Levels)
      if (&L == &Levels.front() || L.Sites)
        frame(L, Table);
  }

  void frame(const Level &L, Constant *Table) {
    const TaskLoop &Own = L.Loop.T;
    IRBuilder<> B(Own.Preheader->getTerminator());
    B.SetCurrentDebugLocation(Own.Header->getTerminator()->getDebugLoc());
    auto *LoopType = StructType::get(Context, {Pointer, Pointer, Int});
    const DILocation *Where = L.Loop.Pragma;
    auto *Loop = new GlobalVariable(
        M, LoopType, /*isConstant=*/true, GlobalValue::PrivateLinkage,
        ConstantStruct::get(LoopType,
                            {Table, file(Where ? Where->getFilename() : "?", B),
                             B.getInt32(Where ? Where->getLine() : 0)}),
        "asyncmem.checked");
    call(B, (L.Prefix + "begin").str(), {Loop});
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

SmallVector<unsigned, 2> asyncmem::checkLoops(ArrayRef<CheckedLoop> Loops) {
  return Checker(Loops).run();
}
