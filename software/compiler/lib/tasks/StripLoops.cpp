// SPDX-License-Identifier: Apache-2.0
// The iterations of a strip (StripRequests.cpp) that wait for nothing as a loop of
// their own: it runs as often as the strip has iterations left, so that neither
// the strip, nor the rows, nor the end of the inner loop is compared in it.
//
// 1. The blocks of an iteration that waits for nothing are copied.
// 2. The copies are entered where a strip begins, and left at its end.
// 3. What an iteration waits for stays in the loop as it was, which goes on with the
//    next iteration in the other one, or begins a strip.
//
//   while (...) { if (!left) request 8; use }  ->  while (...) { request 8; do use; while (--left) }

#include "tasks/SlotReads.h"
#include "common/Blocks.h"
#include "common/MemoryVariables.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// A larger loop gains little by what is done once in it.
constexpr unsigned MaxInstructions = 128;

/// What is done less often than once in so many times does not count.
constexpr unsigned RareFactor = 500;

bool isRare(const BasicBlock *From, const BasicBlock *To) {
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  uint64_t True, False;
  if (!Branch || !Branch->isConditional() ||
      !extractBranchWeights(*Branch, True, False))
    return false;
  bool IsTrue = Branch->getSuccessor(0) == To;
  return (IsTrue ? True : False) * RareFactor < (IsTrue ? False : True);
}

bool isInLoop(const TaskLoop &T, const BasicBlock *BB) {
  return BB != T.Header && is_contained(T.Blocks, BB);
}

class StripLoop {
public:
  StripLoop(TaskLoop &T, AccessGroup &Group, BasicBlock *Fill, BasicBlock *Use)
      : T(T), F(*T.Header->getParent()), Header(Group.RowHeader), Group(Group),
        S(*Group.Strip), Fill(Fill), Use(Use) {}

  bool separate() {
    if (!findWay() || !findLatch() || !findQuickPath())
      return false;
    copyBlocks("strip.loop");
    for (BranchInst *Test : Tests) {
      auto *Copied = cast<BasicBlock>(Copy[Test->getParent()]);
      decide(cast<BranchInst>(Copied->getTerminator()), InStrip, Conditions);
      SmallVector<WeakTrackingVH, 1> Condition;
      decide(Test, 1 - InStrip, Condition);
      RecursivelyDeleteTriviallyDeadInstructionsPermissive(Condition);
    }
    enter();
    leave();
    copyLoads();
    foldPhis();
    correctUses();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Conditions);
    removeUnreached();
    return true;
  }

private:
  using Blocks = BlockSet<BasicBlock>;

  /// The successor of a test that is taken inside a strip.
  static constexpr unsigned InStrip = 1;

  TaskLoop &T;
  Function &F;
  BasicBlock *Header;
  /// The blocks of an iteration that waits for nothing.
  Blocks Quick;
  /// In front of the second loop, and its first block.
  BasicBlock *Entry = nullptr, *Begin = nullptr;
  SmallVector<BasicBlock *, 16> Copies;
  ValueToValueMapTy Copy;
  /// The values of the header's phis at Entry.
  DenseMap<PHINode *, PHINode *> AtEntry;
  AccessGroup &Group;
  Strip &S;
  BasicBlock *Fill, *Use, *Latch = nullptr;
  /// From the header to Use, and the tests for the end of the strip between them.
  Blocks Way;
  SmallVector<BranchInst *, 4> Tests;
  /// Of the copied tests. What they need may be needed behind the second loop, too,
  /// which is seen when uses there are corrected.
  SmallVector<WeakTrackingVH, 4> Conditions;

  bool waits(const BasicBlock *BB) const {
    return any_of(T.Groups, [&](const AccessGroup &Group) {
      return Group.accesses().front()->getParent() == BB;
    });
  }

  /// \returns the blocks that an iteration may run from \p From on without a wait,
  /// not beyond Header.
  Blocks reachedFrom(BasicBlock *From) const {
    return blocksBehind(From, [&](BasicBlock *Before, BasicBlock *Next) {
      return (Before == From || Before != Header) && !isRare(Before, Next) &&
             isInLoop(T, Next) && !waits(Next);
    });
  }

  /// \returns the blocks of the loop itself, not of one around it, from which an
  /// iteration may come to Header without a wait.
  Blocks reachingHeader() const {
    const Blocks Around = around();
    return blocksBefore(Header, [&](BasicBlock *Before, BasicBlock *Next) {
      return !isRare(Before, Next) && !Around.contains(Before) &&
             isInLoop(T, Before) && !waits(Before);
    });
  }

  /// \returns the blocks of the task to which ways lead that do not meet Header.
  Blocks around() const {
    return blocksBehind(T.Header, [&](BasicBlock *, BasicBlock *Next) {
      return Next != Header && isInLoop(T, Next);
    });
  }

  /// \returns the blocks that repeat the loop, in the form that is not a copy.
  SmallVector<BasicBlock *, 2> latches() const {
    const Blocks Reached =
        blocksBehind(Header, [&](BasicBlock *, BasicBlock *Next) {
          return isInLoop(T, Next);
        });
    const Blocks Around = around();
    SmallVector<BasicBlock *, 2> Latches;
    for (BasicBlock *From : predecessors(Header))
      if (Reached.contains(From) && !Around.contains(From) &&
          !is_contained(Copies, From) && !is_contained(Latches, From))
        Latches.push_back(From);
    return Latches;
  }

  /// \returns true if the blocks of Quick are few, and each can be there twice.
  bool canCopy() const {
    unsigned Count = 0;
    for (BasicBlock *BB : Quick) {
      Count += BB->sizeWithoutDebug();
      if (!isa<BranchInst>(BB->getTerminator()) ||
          any_of(*BB, [](const Instruction &I) {
            auto *Call = dyn_cast<CallBase>(&I);
            return I.getType()->isTokenTy() ||
                   (Call && (Call->cannotDuplicate() || Call->isConvergent()));
          }))
        return false;
    }
    return Count <= MaxInstructions;
  }

  /// Makes Entry, called \p Name, and Copies, to which nothing leads yet.
  void copyBlocks(const char *Name) {
    Entry = BasicBlock::Create(F.getContext(), Name, &F, Header);
    append_range(Copies,
                 asyncmem::copyBlocks(Quick.getArrayRef(), Copy, "row"));
    Begin = cast<BasicBlock>(Copy[Header]);
    SmallVector<BasicBlock *, 16> New = {Entry};
    append_range(New, Copies);
    T.addBlocks(Header, New);
    joinBehindCopies(Quick.getArrayRef(), Copy);
    for (BasicBlock *New : Copies)
      for (PHINode &Phi : New->phis())
        for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
          if (!is_contained(Copies, Phi.getIncomingBlock(I)))
            Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
  }

  /// Gives Entry a phi for each of the header's, for \p Edges that lead there, and
  /// makes it lead to Begin.
  void createEntryPhis(unsigned Edges) {
    IRBuilder<> B(Entry);
    for (PHINode &Phi : Header->phis()) {
      AtEntry[&Phi] =
          B.CreatePHI(Phi.getType(), Edges, Phi.getName() + ".entry");
      cast<PHINode>(Copy[&Phi])->addIncoming(AtEntry[&Phi], Entry);
    }
    B.CreateBr(Begin);
  }

  /// \p Branch always goes to its successor number \p Index.
  static void take(BranchInst *Branch, unsigned Index) {
    BasicBlock *To = Branch->getSuccessor(Index);
    BasicBlock *Other = Branch->getSuccessor(1 - Index);
    if (To != Other)
      Other->removePredecessor(Branch->getParent(), /*KeepOneInputPHIs=*/true);
    BranchInst::Create(To, Branch)->setDebugLoc(Branch->getDebugLoc());
    Branch->eraseFromParent();
  }

  /// What has one value in the second loop becomes that value, above all what is
  /// the same for all its elements.
  void foldPhis() {
    bool Changed = true;
    while (Changed) {
      Changed = false;
      for (BasicBlock *BB : Copies)
        for (PHINode &Phi : make_early_inc_range(BB->phis())) {
          Value *Same = nullptr;
          for (Value *In : Phi.incoming_values())
            if (In != &Phi && In != Same)
              Same = Same ? &Phi : In;
          if (!Same || Same == &Phi)
            continue;
          Phi.replaceAllUsesWith(Same);
          Phi.eraseFromParent();
          Changed = true;
        }
    }
  }

  /// Where both loops may come from, their values are joined.
  void correctUses() {
    SmallVector<PHINode *, 8> New;
    SSAUpdater Updater(&New);
    for (BasicBlock *BB : Quick)
      for (Instruction &I : *BB) {
        // Without a copy it is one of the phis that this adds.
        if (I.getType()->isVoidTy() || !Copy.count(&I))
          continue;
        SmallVector<llvm::Use *, 8> Uses;
        for (llvm::Use &U : I.uses()) {
          auto *By = cast<Instruction>(U.getUser());
          if (!is_contained(Copies, By->getParent()) &&
              (By->getParent() != BB || isa<PHINode>(By)))
            Uses.push_back(&U);
        }
        if (Uses.empty())
          continue;
        Value *Copied = Copy.lookup(&I);
        auto *Other = dyn_cast<Instruction>(Copied);
        Updater.Initialize(I.getType(), I.getName());
        Updater.AddAvailableValue(BB, &I);
        Updater.AddAvailableValue(
            Other && is_contained(Copies, Other->getParent())
                ? Other->getParent()
                : Begin,
            Copied);
        for (llvm::Use *U : Uses)
          Updater.RewriteUse(*U);
      }
  }

  /// The first iteration comes that way twice: before the strip is requested and
  /// behind it.
  bool findWay() {
    for (BasicBlock *BB = Header; BB != Use;) {
      auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
      if (!Branch || waits(BB) || !Way.insert(BB) ||
          any_of(*BB,
                 [](const Instruction &I) { return I.mayHaveSideEffects(); }))
        return false;
      if (Branch->isConditional()) {
        if (!is_contained(S.Tests, Branch->getCondition()))
          return false;
        Tests.push_back(Branch);
      }
      BB = Branch->getSuccessor(Branch->isConditional() ? InStrip : 0);
    }
    return true;
  }

  bool findLatch() {
    SmallVector<BasicBlock *, 2> Latches = latches();
    if (Latches.size() != 1)
      return false;
    Latch = Latches.front();
    auto *Branch = dyn_cast<BranchInst>(Latch->getTerminator());
    return Branch && Branch->isConditional() &&
           Branch->getSuccessor(0) != Branch->getSuccessor(1);
  }

  bool findQuickPath() {
    if (waits(Use))
      return false;
    Blocks Forward = reachedFrom(Use);
    Quick = Way;
    Quick.insert(Use);
    for (BasicBlock *BB : reachingHeader())
      if (Forward.contains(BB))
        Quick.insert(BB);
    return Quick.contains(Latch) && canCopy();
  }

  /// What only \p Test needs of the strip, from \p Conditions on, is not kept over a
  /// suspension.
  void decide(BranchInst *Test, unsigned Index,
              SmallVectorImpl<WeakTrackingVH> &Conditions) {
    Conditions.push_back(Test->getCondition());
    take(Test, Index);
  }

  /// The scheduler replaces these loads by others from the slot.
  void copyLoads() {
    for (StripLoad Part : SmallVector<StripLoad, 2>(S.Loads))
      if (Quick.contains(Part.Load->getParent())) {
        Part.Load = cast<LoadInst>(Copy[Part.Load]);
        Part.Index = Copy[Part.Index];
        S.Loads.push_back(Part);
      }
    for (AccessGroup &Other : T.Groups)
      for (LoadInst *Load : SmallVector<LoadInst *, 2>(Other.RowLoads))
        if (Quick.contains(Load->getParent()))
          copyRowLoad(Other, cast<LoadInst>(Copy[Load]));
  }

  /// The one block of a row that the strip has stays the same in it.
  void copyRowLoad(AccessGroup &Other, LoadInst *Load) {
    const TaskRow &Row = T.Rows[*Other.Row];
    if (Row.Strip != Group.Strip || Row.HasNext) {
      Other.RowLoads.push_back(Load);
      return;
    }
    IRBuilder<> AtEntry(Entry->getTerminator()), B(Load);
    Value *Known = AtEntry.CreateLoad(B.getInt64Ty(), Row.Known);
    Value *Address =
        B.CreatePtrToInt(Load->getPointerOperand(), B.getInt64Ty());
    Other.RowReads.push_back({Load, B.CreateSub(Address, Known)});
  }

  Value *isInStrip(IRBuilderBase &B) const {
    return B.CreateICmpNE(loadVariable(B, S.Begun), loadVariable(B, S.All));
  }

  /// The strip's first iteration enters the second loop, and the next one behind
  /// an iteration that has waited.
  void enter() {
    BasicBlock *Rest = BasicBlock::Create(F.getContext(), "strip.rest", &F);
    T.addBlocks(Latch, Rest);
    createEntryPhis(2);
    for (PHINode &Phi : Header->phis()) {
      AtEntry[&Phi]->addIncoming(&Phi, Fill);
      AtEntry[&Phi]->addIncoming(Phi.getIncomingValueForBlock(Latch), Rest);
    }
    Fill->getTerminator()->replaceSuccessorWith(Use, Entry);
    Latch->getTerminator()->replaceSuccessorWith(Header, Rest);
    Header->replacePhiUsesWith(Latch, Rest);
    IRBuilder<> B(Rest);
    B.CreateCondBr(isInStrip(B), Entry, Header);
  }

  /// The inner loop cannot end, nor wait for another strip, before this one ends.
  void leave() {
    auto *Repeat = cast<BasicBlock>(Copy[Latch]);
    BasicBlock *End = SplitBlock(Repeat, Repeat->getTerminator());
    End->setName("strip.end");
    T.addBlocks(Repeat, End);
    for (BasicBlock *To : successors(End))
      if (To != Begin)
        To->replacePhiUsesWith(Repeat, End);
    Copies.push_back(End);
    auto *Last = cast<BranchInst>(End->getTerminator());
    Last->replaceSuccessorWith(Begin, Header);
    for (PHINode &Phi : Header->phis()) {
      auto *Second = cast<PHINode>(Copy[&Phi]);
      int From = Second->getBasicBlockIndex(End);
      Phi.addIncoming(Second->getIncomingValue(From), End);
      Second->setIncomingBlock(From, Repeat);
    }
    Repeat->getTerminator()->eraseFromParent();
    IRBuilder<> B(Repeat);
    B.SetCurrentDebugLocation(Last->getDebugLoc());
    B.CreateCondBr(isInStrip(B), Begin, End);
  }

  /// In the loop as it was, what no iteration reaches that has waited.
  void removeUnreached() {
    const Blocks Reached =
        blocksBehind(T.Header, [&](BasicBlock *, BasicBlock *Next) {
          return is_contained(T.Blocks, Next);
        });
    SmallVector<BasicBlock *, 8> Dead;
    for (BasicBlock *BB : Quick)
      if (BB != T.Header && !Reached.contains(BB))
        Dead.push_back(BB);
    auto IsDead = [&](const LoadInst *Load) {
      return is_contained(Dead, Load->getParent());
    };
    erase_if(S.Loads, [&](const StripLoad &Part) { return IsDead(Part.Load); });
    for (AccessGroup &Other : T.Groups)
      erase_if(Other.RowLoads, IsDead);
    erase_if(T.Blocks, [&](BasicBlock *BB) { return is_contained(Dead, BB); });
    DeleteDeadBlocks(Dead);
  }
};

} // namespace

bool asyncmem::separateStripLoop(TaskLoop &T, AccessGroup &Group,
                                 BasicBlock *Fill, BasicBlock *Use) {
  return StripLoop(T, Group, Fill, Use).separate();
}
