// SPDX-License-Identifier: Apache-2.0

#include "transform/FatalExits.h"
#include "common/Instructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns the blocks from \p Exit on to where the program ends, nothing if something
/// else may follow, or be seen before.
SmallVector<BasicBlock *, 2> wayToEnd(BasicBlock *Exit) {
  SmallVector<BasicBlock *, 2> Way;
  for (BasicBlock *BB = Exit; BB; BB = BB->getSingleSuccessor()) {
    if (BB->isEHPad() || is_contained(Way, BB) ||
        !all_of(*BB, [](const Instruction &I) {
          return I.isTerminator() || isFatal(I) || !I.mayHaveSideEffects();
        }))
      return {};
    Way.push_back(BB);
    if (isa<UnreachableInst>(BB->getTerminator()))
      return Way;
  }
  return {};
}

/// Puts a copy of the blocks \p Way on the edge from \p From; it leads to
/// \p Next, which follows \p From, too.
void keepExit(BasicBlock *From, ArrayRef<BasicBlock *> Way, BasicBlock *Next) {
  ValueToValueMapTy Map;
  auto *Copy =
      BasicBlock::Create(From->getContext(), "fatal", From->getParent(), Next);
  const BasicBlock *Before = From;
  for (BasicBlock *BB : Way) {
    for (Instruction &I : *BB) {
      if (auto *Phi = dyn_cast<PHINode>(&I)) {
        Value *In = Phi->getIncomingValueForBlock(Before);
        Value *Copied = Map.lookup(In);
        Map[Phi] = Copied ? Copied : In;
      } else if (!I.isTerminator()) {
        Instruction *New = I.clone();
        New->insertInto(Copy, Copy->end());
        Map[&I] = New;
        RemapInstruction(New, Map,
                         RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      }
    }
    Before = BB;
  }
  Instruction *End = From->getTerminator();
  auto *Jump = BranchInst::Create(Next, Copy);
  Jump->setDebugLoc(End->getDebugLoc());
  Jump->setMetadata(LLVMContext::MD_loop,
                    End->getMetadata(LLVMContext::MD_loop));
  for (PHINode &Phi : Next->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(From), Copy);
  for (unsigned I = 0; I != End->getNumSuccessors(); ++I)
    if (End->getSuccessor(I) == Way.front()) {
      Way.front()->removePredecessor(From);
      End->setSuccessor(I, Copy);
    }
}

} // namespace

bool asyncmem::keepFatalExits(Loop &L) {
  SmallVector<Loop::Edge, 4> Exits;
  L.getExitEdges(Exits);
  bool Changed = false;
  for (auto [Source, Target] : Exits) {
    auto *From = const_cast<BasicBlock *>(Source);
    auto *To = const_cast<BasicBlock *>(Target);
    if (!is_contained(successors(From), To) ||
        !isa<BranchInst, SwitchInst>(From->getTerminator()))
      continue;
    const SmallVector<BasicBlock *, 2> Way = wayToEnd(To);
    if (Way.empty())
      continue;
    auto Next = find_if(successors(From),
                        [&](BasicBlock *BB) { return L.contains(BB); });
    keepExit(From, Way, *Next);
    for (BasicBlock *BB : Way)
      if (pred_empty(BB))
        DeleteDeadBlock(BB);
    Changed = true;
  }
  return Changed;
}
