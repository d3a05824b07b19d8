// SPDX-License-Identifier: Apache-2.0

#include "common/TaskLoop.h"
#include "common/Blocks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

BasicBlock *asyncmem::splitExit(const TaskLoop &T, ExitEdge &Exit,
                                const Twine &Name) {
  BasicBlock *Between = BasicBlock::Create(T.Header->getContext(), Name,
                                           T.Header->getParent(), T.Header);
  for (PHINode &Phi : Exit.To->phis()) {
    PHINode *Value =
        PHINode::Create(Phi.getType(), 3, Phi.getName() + ".last", Between);
    // One for each case of a switch.
    for (int N; (N = Phi.getBasicBlockIndex(Exit.From)) >= 0;) {
      Value->addIncoming(Phi.getIncomingValue(N), Exit.From);
      Phi.removeIncomingValue(N, /*DeletePHIIfEmpty=*/false);
    }
    Phi.addIncoming(Value, Between);
  }
  Exit.From->getTerminator()->replaceSuccessorWith(Exit.To, Between);
  BranchInst::Create(Exit.To, Between);
  Exit.To = Between;
  return Between;
}

bool asyncmem::comesFrom(const TaskLoop &T, Value *V,
                         function_ref<Origin(Instruction &)> Judge) {
  SmallSetVector<Value *, 16> Work;
  Work.insert(V);
  for (unsigned N = 0; N != Work.size(); ++N) {
    auto *I = dyn_cast<Instruction>(Work[N]);
    if (!I || !T.L->contains(I) ||
        (isa<PHINode>(I) && I->getParent() == T.Header))
      continue;
    const Origin Is = Judge(*I);
    if (Is == Origin::Found)
      return true;
    if (Is == Origin::GoOn)
      Work.insert(I->op_begin(), I->op_end());
  }
  return false;
}

bool asyncmem::mayWrite(const TaskLoop &T, const MemoryLocation &Place,
                        AAResults &AA) {
  return anyInstruction(T.Blocks, [&](const Instruction &I) {
    return I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Place));
  });
}

void asyncmem::removeDeadInstructions(TaskLoop &T) {
  SmallVector<WeakTrackingVH, 16> Dead;
  for (BasicBlock *BB : T.Blocks) {
    DeleteDeadPHIs(BB);
    for (Instruction &I : *BB)
      if (isInstructionTriviallyDead(&I))
        Dead.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}
