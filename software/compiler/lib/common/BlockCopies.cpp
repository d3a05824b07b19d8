// SPDX-License-Identifier: Apache-2.0

#include "common/BlockCopies.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

SmallVector<BasicBlock *, 16>
asyncmem::copyBlocks(ArrayRef<BasicBlock *> Blocks, ValueToValueMapTy &Map,
                     StringRef Suffix) {
  SmallVector<BasicBlock *, 16> New;
  SmallVector<MDNode *, 4> Scopes;
  identifyNoAliasScopesToClone(Blocks, Scopes);
  for (BasicBlock *BB : Blocks) {
    New.push_back(CloneBasicBlock(BB, Map, "." + Suffix, BB->getParent()));
    Map[BB] = New.back();
  }
  remapInstructionsInBlocks(New, Map);
  cloneAndAdaptNoAliasScopes(Scopes, New, Blocks.front()->getContext(), Suffix);
  return New;
}

void asyncmem::joinBehindCopies(ArrayRef<BasicBlock *> Blocks,
                                const ValueToValueMapTy &Map) {
  const SmallPtrSet<const BasicBlock *, 16> Inside(Blocks.begin(),
                                                   Blocks.end());
  for (BasicBlock *BB : Blocks)
    for (BasicBlock *To : successors(BB)) {
      if (Inside.contains(To))
        continue;
      for (PHINode &Phi : To->phis()) {
        Value *V = Phi.getIncomingValueForBlock(BB);
        Value *Twin = Map.lookup(V);
        Phi.addIncoming(Twin ? Twin : V, cast<BasicBlock>(Map.lookup(BB)));
      }
    }
}
