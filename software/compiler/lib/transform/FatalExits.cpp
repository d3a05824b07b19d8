// SPDX-License-Identifier: Apache-2.0

#include "transform/FatalExits.h"
#include "common/Calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns true if \p BB only ends the program.
bool endsProgram(const BasicBlock &BB) {
  if (!isa<UnreachableInst>(BB.getTerminator()) || BB.isEHPad())
    return false;
  return all_of(BB, [](const Instruction &I) {
    return I.isTerminator() || isFatal(I) || !I.mayHaveSideEffects();
  });
}

/// Puts a copy of the block \p To on the edge from \p From; it leads to
/// \p Next, which follows \p From, too.
void keepExit(BasicBlock *From, BasicBlock *To, BasicBlock *Next) {
  ValueToValueMapTy Map;
  for (PHINode &Phi : To->phis())
    Map[&Phi] = Phi.getIncomingValueForBlock(From);
  auto *Copy =
      BasicBlock::Create(From->getContext(), "fatal", From->getParent(), Next);
  for (Instruction &I : *To) {
    if (isa<PHINode>(I) || I.isTerminator())
      continue;
    Instruction *New = I.clone();
    New->insertInto(Copy, Copy->end());
    Map[&I] = New;
    RemapInstruction(New, Map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  }
  Instruction *End = From->getTerminator();
  auto *Jump = BranchInst::Create(Next, Copy);
  Jump->setDebugLoc(End->getDebugLoc());
  Jump->setMetadata(LLVMContext::MD_loop,
                    End->getMetadata(LLVMContext::MD_loop));
  for (PHINode &Phi : Next->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(From), Copy);
  for (unsigned I = 0; I != End->getNumSuccessors(); ++I)
    if (End->getSuccessor(I) == To) {
      To->removePredecessor(From);
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
    if (!is_contained(successors(From), To) || !endsProgram(*To) ||
        !isa<BranchInst, SwitchInst>(From->getTerminator()))
      continue;
    auto Next = find_if(successors(From),
                        [&](BasicBlock *BB) { return L.contains(BB); });
    keepExit(From, To, *Next);
    if (pred_empty(To))
      DeleteDeadBlock(To);
    Changed = true;
  }
  return Changed;
}
