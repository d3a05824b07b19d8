// SPDX-License-Identifier: Apache-2.0

#include "analysis/LockRegions.h"
#include "common/Calls.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace asyncmem;

LockRegions::LockRegions(const TaskLoop &T) {
  if (none_of(T.Blocks,
              [](const BasicBlock *BB) { return any_of(*BB, isLock); }))
    return;
  for (const BasicBlock *BB : T.Blocks)
    if (BB != T.Header)
      HeldAtStart.insert(BB);
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const BasicBlock *BB : T.Blocks) {
      if (protects(*BB->getTerminator()))
        continue;
      for (const BasicBlock *Next : successors(BB))
        Changed |= HeldAtStart.erase(Next);
    }
  }
}

bool LockRegions::protects(const Instruction &I) const {
  for (const Instruction *Before = &I; Before; Before = Before->getPrevNode()) {
    if (isLock(*Before))
      return true;
    if (isUnlock(*Before))
      return false;
  }
  return HeldAtStart.contains(I.getParent());
}
