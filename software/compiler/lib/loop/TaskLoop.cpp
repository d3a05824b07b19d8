// SPDX-License-Identifier: Apache-2.0

#include "loop/TaskLoop.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

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
