// SPDX-License-Identifier: Apache-2.0

#include "transform/BranchHints.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Operations between a remote load and the condition.
constexpr unsigned MaxDepth = 4;

bool dependsOnRemote(const TaskLoop &T, const Value *V, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<PHINode>(I))
    return false;
  if (isa<LoadInst>(I))
    return T.isRemote(I);
  return Depth && any_of(I->operands(), [&](const Value *Operand) {
           return dependsOnRemote(T, Operand, Depth - 1);
         });
}

} // namespace

void asyncmem::selectWithoutBranches(TaskLoop &T) {
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (auto *Select = dyn_cast<SelectInst>(&I);
          Select && dependsOnRemote(T, Select->getCondition(), MaxDepth))
        Select->setMetadata(LLVMContext::MD_unpredictable,
                            MDNode::get(I.getContext(), {}));
}

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
