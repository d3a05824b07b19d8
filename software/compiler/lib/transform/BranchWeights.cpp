// SPDX-License-Identifier: Apache-2.0

#include "transform/BranchWeights.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace llvm;
using namespace asyncmem;

void asyncmem::keepBranchWeights(TaskLoop &T,
                                 const BranchProbabilityInfo &Probabilities) {
  for (BasicBlock *BB : T.Blocks) {
    Instruction *End = BB->getTerminator();
    if (!isa<BranchInst, SwitchInst>(End) || End->getNumSuccessors() < 2 ||
        hasBranchWeightMD(*End))
      continue;
    SmallVector<uint32_t, 4> Weights;
    for (unsigned S = 0; S != End->getNumSuccessors(); ++S)
      Weights.push_back(Probabilities.getEdgeProbability(BB, S).getNumerator());
    End->setMetadata(LLVMContext::MD_prof,
                     MDBuilder(BB->getContext()).createBranchWeights(Weights));
  }
}
