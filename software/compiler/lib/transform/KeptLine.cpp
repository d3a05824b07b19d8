// SPDX-License-Identifier: Apache-2.0
// A line that a task keeps, on the AMU: where an inner loop updates remote words
// of which a clause says that no two iterations update them (distinct_update),
// such as the counters of one bucket, a task that meets the same line twice in a
// row loads it into a variable of its own. While its updates lie in that line they
// wait for nothing. The words it changed are stored when it takes another line,
// and at the end of its iteration.
//
// In front of everything else in the iteration that may reach these words, that
// is compared and the words are stored, so the iteration sees its own order. Of
// other iterations the clause says that they do not update them, and the pragma
// that they do not read them.
//
//   ++counts[key[k]]   ->   if (line(&counts[key[k]]) == known) ++kept[...]; else { store what changed; load the line; ... }

#include "transform/Transforms.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "common/MemoryVariables.h"
#include "common/Names.h"
#include "common/Target.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// No word of the program lies in the line that begins there.
constexpr uint64_t NoLine = -uint64_t(LineBytes);

/// Each needs code that stores the changed words; more would be much of it.
constexpr unsigned MaxCompared = 4;

/// A load and the store behind it, of one word.
struct Update {
  LoadInst *Load;
  StoreInst *Store;
};

class UpdateChoice {
public:
  UpdateChoice(const TaskLoop &T, AAResults &AA, const LoopInfo &LI)
      : T(T), AA(AA), LI(LI) {}

  /// The accesses that may reach the words of the update.
  SmallVector<Instruction *, MaxCompared> Compared;

  std::optional<Update> find() {
    if (!T.leavesAtLatch() || T.Updates.size())
      return std::nullopt;
    for (Instruction *Access : T.Remote)
      if (auto *Load = dyn_cast<LoadInst>(Access))
        if (StoreInst *Store = storeBehind(*Load))
          if (Update U = {Load, Store}; findCompared(U))
            return U;
    return std::nullopt;
  }

private:
  const TaskLoop &T;
  AAResults &AA;
  const LoopInfo &LI;

  bool isDistinct(const Instruction &I) const {
    return T.Promised.contains(&I) && !T.Lossy.contains(&I);
  }

  /// \returns the store that updates the word of \p Load, in an inner loop and
  /// with nothing else in memory between them; null if there is none.
  StoreInst *storeBehind(const LoadInst &Load) const {
    if (!Load.isSimple() || !isDistinct(Load) ||
        LI.getLoopFor(Load.getParent()) == T.L)
      return nullptr;
    for (const Instruction *I = Load.getNextNode(); I; I = I->getNextNode()) {
      auto *Store = dyn_cast<StoreInst>(I);
      if (Store && Store->isSimple() && isDistinct(*Store) &&
          Store->getPointerOperand() == Load.getPointerOperand() &&
          Store->getValueOperand()->getType() == Load.getType())
        return const_cast<StoreInst *>(Store);
      if (I->mayReadOrWriteMemory())
        return nullptr;
    }
    return nullptr;
  }

  static bool isQuiet(const Instruction &I) {
    auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    return !I.mayReadOrWriteMemory() ||
           (Intrinsic && Intrinsic->isAssumeLikeIntrinsic());
  }

  /// \returns false if something may reach the words of \p U that no comparison
  /// of addresses finds.
  bool findCompared(const Update &U) {
    Compared.clear();
    const MemoryLocation Words = anyPlace(*U.Load, T.Blocks);
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &I : *BB) {
        if (&I == U.Load || &I == U.Store || isQuiet(I))
          continue;
        const Value *Pointer = getLoadStorePointerOperand(&I);
        if (I.isAtomic() || !Pointer)
          return false;
        auto *Local = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer));
        if ((Local && !escapingUse(Local, /*MayCall=*/false)) ||
            !isModOrRefSet(AA.getModRefInfo(&I, Words)))
          continue;
        if (Compared.size() == MaxCompared)
          return false;
        Compared.push_back(&I);
      }
    return true;
  }
};

class LineKeeper {
public:
  LineKeeper(TaskLoop &T, const Update &U, FunctionAnalysisManager &FAM)
      : T(T), U(U), FAM(FAM), F(*T.Header->getParent()), Ty(U.Load->getType()),
        Bytes(accessBytes(U.Load)), Pointer(U.Load->getPointerOperand()) {}

  void build(ArrayRef<Instruction *> Compared) {
    createVariables();
    storeChanged(T.Latch->getTerminator(), U.Store->getDebugLoc(),
                 /*Together=*/true);
    for (Instruction *Access : Compared)
      compareAt(Access);
    update();
    Promoted.append({Line, Last, Changed});
    FAM.invalidate(F, PreservedAnalyses::none());
    PromoteMemToReg(Promoted, FAM.getResult<DominatorTreeAnalysis>(F));
  }

private:
  TaskLoop &T;
  const Update &U;
  FunctionAnalysisManager &FAM;
  Function &F;
  Type *Ty;
  unsigned Bytes;
  Value *Pointer;
  /// The words of the line; its address; that of the line of the last update
  /// that was made in memory; a bit for each changed word.
  AllocaInst *Words, *Line, *Last, *Changed;
  /// Variables that become SSA values.
  SmallVector<AllocaInst *, 8> Promoted;

  void createVariables() {
    IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
    Words = B.CreateAlloca(ArrayType::get(B.getInt64Ty(), LineBytes / 8),
                           nullptr, "line");
    Line = B.CreateAlloca(B.getInt64Ty(), nullptr, "line.address");
    Last = B.CreateAlloca(B.getInt64Ty(), nullptr, "line.last");
    Changed = B.CreateAlloca(B.getInt64Ty(), nullptr, "line.changed");
    B.SetInsertPoint(T.Header, T.Header->getFirstInsertionPt());
    B.CreateLifetimeStart(Words);
    B.CreateStore(B.getInt64(NoLine), Line);
    B.CreateStore(B.getInt64(NoLine), Last);
    B.CreateStore(B.getInt64(0), Changed);
  }

  /// \returns \p Address as a pointer that is marked as those of the update are.
  static Value *markedPointer(IRBuilderBase &B, Value *Address) {
    Value *Pointer = B.CreateIntToPtr(Address, B.getPtrTy());
    callFunction(B, RemoteFunction, {Pointer});
    callFunction(B, PromisedFunction, {Pointer, B.getInt32(DistinctUpdate)});
    return Pointer;
  }

  static MDNode *rarely(IRBuilderBase &B) {
    return MDBuilder(B.getContext()).createBranchWeights(1, 1000);
  }

  /// Stores the changed words in front of \p Position, one after the other, but
  /// with \p Together halves of the line that were changed as a whole by one
  /// request.
  void storeChanged(Instruction *Position, const DebugLoc &Where,
                    bool Together) {
    BasicBlock *Head = Position->getParent();
    BasicBlock *Rest = SplitBlock(Head, Position);
    auto *Test = BasicBlock::Create(F.getContext(), "line.test", &F, Rest);
    auto *Store = BasicBlock::Create(F.getContext(), "line.store", &F, Rest);
    Head->getTerminator()->replaceSuccessorWith(Rest, Test);

    IRBuilder<> B(Test);
    B.SetCurrentDebugLocation(Where);
    Value *Left = loadVariable(B, Changed);
    B.CreateCondBr(B.CreateIsNotNull(Left), Store, Rest, rarely(B));

    B.SetInsertPoint(Store);
    Value *Index =
        B.CreateBinaryIntrinsic(Intrinsic::cttz, Left, B.getInt1(true));
    if (Together)
      storeHalf(B, Left, Index, Test);
    Value *Offset = B.CreateMul(Index, B.getInt64(Bytes));
    Value *Word = B.CreateAlignedLoad(
        Ty, B.CreateGEP(B.getInt8Ty(), Words, Offset), Align(Bytes));
    Value *To = markedPointer(B, B.CreateAdd(loadVariable(B, Line), Offset));
    copyMetadata(B.CreateAlignedStore(Word, To, Align(Bytes)), *U.Store);
    B.CreateStore(B.CreateAnd(Left, B.CreateSub(Left, B.getInt64(1))), Changed);
    B.CreateBr(Test);
  }

  /// Where all words of the half line around word \p Index are among those of \p
  /// Left, stores them and goes on at \p Test; else goes on where \p B stands then.
  void storeHalf(IRBuilderBase &B, Value *Left, Value *Index,
                 BasicBlock *Test) {
    constexpr unsigned HalfBytes = LineBytes / 2;
    const unsigned Count = HalfBytes / Bytes;
    auto *Half = BasicBlock::Create(F.getContext(), "line.half", &F, Test);
    auto *Word = BasicBlock::Create(F.getContext(), "line.word", &F, Test);
    Value *First = B.CreateAnd(Index, B.getInt64(-int64_t(Count)));
    Value *Mask =
        B.CreateShl(B.getInt64(maskTrailingOnes<uint64_t>(Count)), First);
    B.CreateCondBr(B.CreateICmpEQ(B.CreateAnd(Left, Mask), Mask), Half, Word);

    B.SetInsertPoint(Half);
    Value *Offset = B.CreateMul(First, B.getInt64(Bytes));
    Value *From = B.CreateGEP(B.getInt8Ty(), Words, Offset);
    Value *To = markedPointer(B, B.CreateAdd(loadVariable(B, Line), Offset));
    SmallVector<Value *, HalfBytes / 8> Changed64;
    for (unsigned I = 0; I != HalfBytes / 8; ++I)
      Changed64.push_back(B.CreateAlignedLoad(
          B.getInt64Ty(), B.CreateConstGEP1_64(B.getInt64Ty(), From, I),
          Align(8)));
    for (auto [I, Value] : enumerate(Changed64))
      copyScopes(B.CreateAlignedStore(
                     Value, B.CreateConstGEP1_64(B.getInt64Ty(), To, I),
                     commonAlignment(Align(HalfBytes), I * 8)),
                 *U.Store);
    B.CreateStore(B.CreateAnd(Left, B.CreateNot(Mask)), Changed);
    B.CreateBr(Test);
    B.SetInsertPoint(Word);
  }

  static void copyScopes(Instruction *To, const Instruction &From) {
    To->copyMetadata(From,
                     {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  }

  static void copyMetadata(Instruction *To, const Instruction &From) {
    To->copyMetadata(From, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                            LLVMContext::MD_noalias});
  }

  Value *mayReach(IRBuilderBase &B, Instruction *Access) const {
    Value *Address = B.CreatePtrToInt(accessPointer(Access), B.getInt64Ty());
    const uint64_t Size = accessBytes(Access);
    if (Size <= LineBytes && accessAlignment(Access) >= Size)
      return B.CreateICmpEQ(
          B.CreateAnd(Address, B.getInt64(-int64_t(LineBytes))),
          loadVariable(B, Line));
    const uint64_t Before = Size - 1;
    Value *Distance = B.CreateAdd(B.CreateSub(Address, loadVariable(B, Line)),
                                  B.getInt64(Before));
    return B.CreateICmpULT(Distance, B.getInt64(LineBytes + Before));
  }

  /// The line is given up where \p Access may reach it.
  void compareAt(Instruction *Access) {
    IRBuilder<> B(Access);
    Instruction *Meets = SplitBlockAndInsertIfThen(
        mayReach(B, Access), Access, /*Unreachable=*/false, rarely(B));
    B.SetInsertPoint(Meets);
    B.CreateStore(B.getInt64(NoLine), Line);
    storeChanged(&*std::prev(Meets->getIterator()), Access->getDebugLoc(),
                 /*Together=*/false);
  }

  /// Replaces the update: in the line if that is kept, else in memory.
  void update() {
    keepInVariables();
    BasicBlock *Head = U.Load->getParent();
    BasicBlock *Direct = SplitBlock(Head, U.Load);
    BasicBlock *Rest = SplitBlock(Direct, U.Store->getNextNode());
    auto NewBlock = [&](const char *Name) {
      return BasicBlock::Create(F.getContext(), Name, &F, Direct);
    };
    BasicBlock *Kept = NewBlock("line.kept"), *Other = NewBlock("line.other"),
               *Fill = NewBlock("line.fill");

    IRBuilder<> B(Head->getTerminator());
    B.SetCurrentDebugLocation(U.Load->getDebugLoc());
    Value *Address = B.CreatePtrToInt(Pointer, B.getInt64Ty());
    Value *Offset = B.CreateSub(Address, loadVariable(B, Line));
    B.CreateCondBr(B.CreateICmpULT(Offset, B.getInt64(LineBytes)), Kept, Other);
    Head->getTerminator()->eraseFromParent();

    B.SetInsertPoint(Other);
    Value *Start = B.CreateAnd(Address, B.getInt64(-int64_t(LineBytes)));
    Value *Again = B.CreateICmpEQ(Start, loadVariable(B, Last));
    B.CreateStore(Start, Last);
    B.CreateCondBr(Again, Fill, Direct);

    B.SetInsertPoint(Fill);
    loadLine(B, Start);
    BasicBlock *Filled = B.GetInsertBlock();
    Value *NewOffset = B.CreateSub(Address, Start);
    B.CreateBr(Kept);

    B.SetInsertPoint(Kept);
    PHINode *Place = B.CreatePHI(B.getInt64Ty(), 2);
    Place->addIncoming(Offset, Head);
    Place->addIncoming(NewOffset, Filled);
    B.CreateBr(Rest);
    B.SetInsertPoint(Kept->getTerminator());
    updateKept(B, Place);
  }

  /// Values of the update that are used behind it: there will be two of each.
  void keepInVariables() {
    SmallVector<Instruction *, 4> Used;
    for (Instruction *I = U.Load; I != U.Store; I = I->getNextNode())
      if (any_of(I->users(), [&](const User *Other) {
            auto *By = cast<Instruction>(Other);
            return By->getParent() != I->getParent() || isa<PHINode>(By) ||
                   U.Store->comesBefore(By);
          }))
        Used.push_back(I);
    for (Instruction *I : Used)
      Promoted.push_back(DemoteRegToStack(*I));
  }

  /// What was changed in another line is stored before.
  void loadLine(IRBuilderBase &B, Value *Start) {
    Value *From = markedPointer(B, Start);
    SmallVector<Value *, LineBytes / 8> Loaded;
    for (unsigned I = 0; I != LineBytes / 8; ++I)
      Loaded.push_back(B.CreateAlignedLoad(
          B.getInt64Ty(), B.CreateConstGEP1_64(B.getInt64Ty(), From, I),
          commonAlignment(Align(LineBytes), I * 8)));
    for (auto [I, Word] : enumerate(Loaded))
      B.CreateAlignedStore(Word, B.CreateConstGEP1_64(B.getInt64Ty(), Words, I),
                           Align(8));
    auto *End = B.CreateStore(Start, Line);
    storeChanged(cast<Instruction>(From), U.Store->getDebugLoc(),
                 /*Together=*/true);
    B.SetInsertPoint(End->getParent());
  }

  void updateKept(IRBuilderBase &B, Value *Offset) {
    Value *Place = B.CreateGEP(B.getInt8Ty(), Words, Offset);
    ValueToValueMapTy Copies;
    Copies[U.Load] = B.CreateAlignedLoad(Ty, Place, Align(Bytes));
    for (Instruction *I = U.Load->getNextNode(); I != U.Store;
         I = I->getNextNode())
      copyInstruction(B, *I, Copies);
    B.CreateAlignedStore(mapped(Copies, U.Store->getValueOperand()), Place,
                         Align(Bytes));
    Value *Bit =
        B.CreateShl(B.getInt64(1), B.CreateLShr(Offset, Log2_32(Bytes)));
    B.CreateStore(B.CreateOr(loadVariable(B, Changed), Bit), Changed);
  }
};

} // namespace

bool asyncmem::keepLine(TaskLoop &T, FunctionAnalysisManager &FAM) {
  Function &F = *T.Header->getParent();
  UpdateChoice Choice(T, FAM.getResult<AAManager>(F),
                      FAM.getResult<LoopAnalysis>(F));
  std::optional<Update> U = Choice.find();
  if (!U)
    return false;
  markAgain(T);
  LineKeeper(T, *U, FAM).build(Choice.Compared);
  return true;
}
