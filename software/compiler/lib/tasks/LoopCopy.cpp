// SPDX-License-Identifier: Apache-2.0

#include "tasks/LoopCopy.h"
#include "common/Blocks.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
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

} // namespace

bool LoopCopy::waits(const BasicBlock *BB) const {
  return any_of(T.Groups, [&](const AccessGroup &Group) {
    return Group.accesses().front()->getParent() == BB;
  });
}

LoopCopy::Blocks LoopCopy::reachedFrom(BasicBlock *From) const {
  return blocksBehind(From, [&](BasicBlock *Before, BasicBlock *Next) {
    return (Before == From || Before != Header) && !isRare(Before, Next) &&
           isInLoop(T, Next) && !waits(Next);
  });
}

LoopCopy::Blocks LoopCopy::reachingHeader() const {
  const Blocks Around = around();
  return blocksBefore(Header, [&](BasicBlock *Before, BasicBlock *Next) {
    return !isRare(Before, Next) && !Around.contains(Before) &&
           isInLoop(T, Before) && !waits(Before);
  });
}

LoopCopy::Blocks LoopCopy::around() const {
  return blocksBehind(T.Header, [&](BasicBlock *, BasicBlock *Next) {
    return Next != Header && isInLoop(T, Next);
  });
}

SmallVector<BasicBlock *, 2> LoopCopy::latches() const {
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

bool LoopCopy::canCopy() const {
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

void LoopCopy::copyBlocks(const char *Name) {
  Entry = BasicBlock::Create(F.getContext(), Name, &F, Header);
  append_range(Copies, asyncmem::copyBlocks(Quick.getArrayRef(), Copy, "row"));
  Begin = cast<BasicBlock>(Copy[Header]);
  SmallVector<BasicBlock *, 16> New = {Entry};
  append_range(New, Copies);
  T.Blocks.insert(std::next(find(T.Blocks, Header)), New.begin(), New.end());
  joinBehindCopies(Quick.getArrayRef(), Copy);
  for (BasicBlock *New : Copies)
    for (PHINode &Phi : New->phis())
      for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
        if (!is_contained(Copies, Phi.getIncomingBlock(I)))
          Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
}

void LoopCopy::createEntryPhis(unsigned Edges) {
  IRBuilder<> B(Entry);
  for (PHINode &Phi : Header->phis()) {
    AtEntry[&Phi] = B.CreatePHI(Phi.getType(), Edges, Phi.getName() + ".entry");
    cast<PHINode>(Copy[&Phi])->addIncoming(AtEntry[&Phi], Entry);
  }
  B.CreateBr(Begin);
}

void LoopCopy::take(BranchInst *Branch, unsigned Index) {
  BasicBlock *To = Branch->getSuccessor(Index);
  BasicBlock *Other = Branch->getSuccessor(1 - Index);
  if (To != Other)
    Other->removePredecessor(Branch->getParent(), /*KeepOneInputPHIs=*/true);
  BranchInst::Create(To, Branch)->setDebugLoc(Branch->getDebugLoc());
  Branch->eraseFromParent();
}

bool LoopCopy::isInvariant(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return !I || !is_contained(Copies, I->getParent());
}

void LoopCopy::foldPhis() {
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

void LoopCopy::correctUses() {
  SmallVector<PHINode *, 8> New;
  SSAUpdater Updater(&New);
  for (BasicBlock *BB : Quick)
    for (Instruction &I : *BB) {
      // Without a copy it is one of the phis that this adds.
      if (I.getType()->isVoidTy() || !Copy.count(&I))
        continue;
      SmallVector<Use *, 8> Uses;
      for (Use &U : I.uses()) {
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
          Other && is_contained(Copies, Other->getParent()) ? Other->getParent()
                                                            : Begin,
          Copied);
      for (Use *U : Uses)
        Updater.RewriteUse(*U);
    }
}
