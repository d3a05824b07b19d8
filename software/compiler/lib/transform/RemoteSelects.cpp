// SPDX-License-Identifier: Apache-2.0

#include "transform/RemoteSelects.h"

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
