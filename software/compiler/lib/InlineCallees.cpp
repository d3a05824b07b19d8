// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/InlineCallees.h"
#include "asyncmem/RemotePointers.h"
#include "asyncmem/TaskLoop.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// The loop's function does not grow beyond this many instructions.
constexpr unsigned MaxInstructions = 20000;

/// \returns true if \p F can be reached from itself by direct calls.
bool isRecursive(Function &F) {
  SmallPtrSet<Function *, 16> Seen;
  SmallVector<Function *, 16> Work = {&F};
  while (!Work.empty())
    for (Instruction &I : instructions(*Work.pop_back_val())) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee == &F)
        return true;
      if (Callee && Seen.insert(Callee).second)
        Work.push_back(Callee);
    }
  return false;
}

bool isWanted(CallBase &Call, const RemotePointers &Pointers) {
  Function *Callee = Call.getCalledFunction();
  if (isa<IntrinsicInst>(Call) || !Callee || !Callee->hasExactDefinition() ||
      !isInlineViable(*Callee).isSuccess() || isRecursive(*Callee))
    return false;
  return !Call.onlyReadsMemory() || any_of(Call.args(), [&](const Use &Arg) {
    return Arg->getType()->isPointerTy() && Pointers.isRemote(Arg);
  });
}

} // namespace

bool asyncmem::inlineCallee(Loop &L) {
  Function &F = *L.getHeader()->getParent();
  RemotePointers Pointers(F);
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !isWanted(*Call, Pointers) ||
          F.getInstructionCount() +
                  Call->getCalledFunction()->getInstructionCount() >
              MaxInstructions)
        continue;
      InlineFunctionInfo Info;
      if (InlineFunction(*Call, Info).isSuccess())
        return true;
    }
  return false;
}
