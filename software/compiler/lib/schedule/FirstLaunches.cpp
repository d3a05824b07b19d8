// SPDX-License-Identifier: Apache-2.0

#include "schedule/FirstLaunches.h"
#include "common/BlockCopies.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// The tasks of a loop are launched so seldom, compared with their work, that
/// longer code gains too little.
constexpr unsigned MaxCopiedInstructions = 64;

using Region = SmallSetVector<BasicBlock *, 8>;

/// \returns the blocks that run after Launch and before anything else does.
Region findRegion(const TaskBlocks &Blocks) {
  Region Copied;
  Copied.insert(Blocks.Launch);
  for (unsigned I = 0; I != Copied.size(); ++I)
    for (BasicBlock *Next : successors(Copied[I]))
      if (Next != Blocks.Schedule && Next != Blocks.Return &&
          all_of(predecessors(Next),
                 [&](BasicBlock *P) { return Copied.contains(P); }))
        Copied.insert(Next);
  return Copied;
}

bool mayBeCopied(const Region &Copied) {
  unsigned Instructions = 0;
  for (BasicBlock *BB : Copied) {
    if (BB->hasAddressTaken())
      return false;
    for (Instruction &I : *BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (isa<AllocaInst>(I) || I.isEHPad() ||
          (Call && Call->cannotDuplicate()) ||
          (I.isTerminator() &&
           !isa<BranchInst, SwitchInst, UnreachableInst>(I)))
        return false;
      // Accesses of variables become nothing, and with -g the code is the same.
      if (!isa<LoadInst, StoreInst, BranchInst, DbgInfoIntrinsic>(I))
        ++Instructions;
    }
  }
  return Instructions <= MaxCopiedInstructions;
}

/// Values used behind the region go through variables: there are two of each then.
void demoteValues(const Region &Copied, Variables &Vars) {
  SmallVector<Instruction *, 8> Used;
  for (BasicBlock *BB : Copied)
    for (Instruction &I : *BB)
      if (any_of(I.uses(), [&](const Use &U) {
            auto *User = cast<Instruction>(U.getUser());
            // A phi has an operand for each copy.
            return !Copied.contains(User->getParent()) &&
                   !(isa<PHINode>(User) &&
                     Copied.contains(cast<PHINode>(User)->getIncomingBlock(U)));
          }))
        Used.push_back(&I);
  for (Instruction *I : Used) {
    AllocaInst *Variable =
        Vars.create(I->getType(), I->getName() + ".launched");
    for (Use &U : make_early_inc_range(I->uses())) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(User);
      BasicBlock *At = Phi ? Phi->getIncomingBlock(U) : User->getParent();
      if (Copied.contains(At))
        continue;
      Instruction *Position = Phi ? At->getTerminator() : User;
      U.set(new LoadInst(I->getType(), Variable, I->getName(), Position));
    }
    Instruction *Behind = isa<PHINode>(I)
                              ? &*I->getParent()->getFirstInsertionPt()
                              : I->getNextNode();
    new StoreInst(I, Variable, Behind);
  }
}

} // namespace

void asyncmem::copyFirstLaunches(const TaskBlocks &Blocks, Variables &Vars,
                                 ArrayRef<BasicBlock *> First) {
  Region Copied = findRegion(Blocks);
  if (!mayBeCopied(Copied))
    return;
  demoteValues(Copied, Vars);
  ValueToValueMapTy Map;
  const auto Copies = copyBlocks(Copied.getArrayRef(), Map, "first");
  joinBehindCopies(Copied.getArrayRef(), Map);
  // Both are the same code, which passes would join again.
  for (auto [BB, Copy] : zip(Copied, Copies))
    for (BasicBlock *Next : successors(BB))
      if (!Copied.contains(Next)) {
        IRBuilder<> B(Copy->getTerminator());
        keepEndApart(B);
      }
  for (BasicBlock *From : First)
    From->getTerminator()->replaceSuccessorWith(
        Blocks.Launch, cast<BasicBlock>(&*Map[Blocks.Launch]));
  Blocks.Body->append(Copies.begin(), Copies.end());
}
