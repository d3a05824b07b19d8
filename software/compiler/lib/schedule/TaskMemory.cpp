// SPDX-License-Identifier: Apache-2.0

#include "schedule/TaskMemory.h"
#include "common/Names.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace asyncmem;

static void append(Instruction &I, unsigned Kind, ArrayRef<Metadata *> Scopes) {
  MDNode *More = MDNode::get(I.getContext(), Scopes);
  I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), More));
}

void asyncmem::separateTaskMemory(ArrayRef<BasicBlock *> Blocks,
                                  ArrayRef<Instruction *> SlotAccesses) {
  MDBuilder Builder(Blocks.front()->getContext());
  MDNode *Domain = Builder.createAnonymousAliasScopeDomain("asyncmem");
  MDNode *Slot = Builder.createAnonymousAliasScope(Domain, "slot");
  MDNode *Frame = Builder.createAnonymousAliasScope(Domain, "frame");
  SmallPtrSet<Instruction *, 32> InSlot(SlotAccesses.begin(),
                                        SlotAccesses.end());
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      if (!isa<LoadInst, StoreInst>(I))
        continue;
      if (InSlot.contains(&I)) {
        append(I, LLVMContext::MD_alias_scope, {Slot});
        append(I, LLVMContext::MD_noalias, {Frame});
      } else if (I.hasMetadata(ContextTag)) {
        append(I, LLVMContext::MD_alias_scope, {Frame});
        append(I, LLVMContext::MD_noalias, {Slot});
      } else {
        append(I, LLVMContext::MD_noalias, {Slot, Frame});
      }
    }
}
