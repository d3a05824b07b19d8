// SPDX-License-Identifier: Apache-2.0

#include "tasks/StripLoops.h"
#include "tasks/LoopCopy.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class StripLoop : LoopCopy {
public:
  StripLoop(TaskLoop &T, AccessGroup &Group, BasicBlock *Fill, BasicBlock *Use)
      : LoopCopy(T, Group.RowHeader), Group(Group), S(*Group.Strip), Fill(Fill),
        Use(Use) {}

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
  /// The successor of a test that is taken inside a strip.
  static constexpr unsigned InStrip = 1;

  AccessGroup &Group;
  Strip &S;
  BasicBlock *Fill, *Use, *Latch = nullptr;
  /// From the header to Use, and the tests for the end of the strip between them.
  Blocks Way;
  SmallVector<BranchInst *, 4> Tests;
  /// Of the copied tests. What they need may be needed behind the second loop, too,
  /// which is seen when uses there are corrected.
  SmallVector<WeakTrackingVH, 4> Conditions;

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
    return B.CreateICmpNE(B.CreateLoad(B.getInt64Ty(), S.Begun),
                          B.CreateLoad(B.getInt64Ty(), S.All));
  }

  /// The strip's first iteration enters the second loop, and the next one behind
  /// an iteration that has waited.
  void enter() {
    BasicBlock *Rest = BasicBlock::Create(F.getContext(), "strip.rest", &F);
    T.Blocks.insert(std::next(find(T.Blocks, Latch)), Rest);
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
    T.Blocks.insert(std::next(find(T.Blocks, Repeat)), End);
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
