// SPDX-License-Identifier: Apache-2.0

#include "transform/BranchWeights.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace llvm;
using namespace asyncmem;

void asyncmem::keepBranchWeights(TaskLoop &T) {
  Function &F = *T.Header->getParent();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  BranchProbabilityInfo Probabilities(F, LI);
  for (BasicBlock *BB : T.Blocks) {
    Instruction *End = BB->getTerminator();
    if (!isa<BranchInst, SwitchInst>(End) || End->getNumSuccessors() < 2 ||
        hasBranchWeightMD(*End))
      continue;
    SmallVector<uint32_t, 4> Weights;
    for (unsigned S = 0; S != End->getNumSuccessors(); ++S)
      Weights.push_back(Probabilities.getEdgeProbability(BB, S).getNumerator());
    End->setMetadata(LLVMContext::MD_prof,
                     MDBuilder(F.getContext()).createBranchWeights(Weights));
  }
}
