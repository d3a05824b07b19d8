// SPDX-License-Identifier: Apache-2.0

#include "analysis/NestedTasks.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "platform.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

using Functions = SmallSetVector<const Function *, 16>;

bool belongsToTasks(const Instruction &I) {
  MDNode *Loop =
      I.isTerminator() ? I.getMetadata(LLVMContext::MD_loop) : nullptr;
  if (Loop && findOptionMDForLoopID(Loop, LoopTag))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  auto *Code = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return callsFunction(I, PinFunction) ||
         (Code &&
          StringRef(Code->getAsmString()).contains(NHG_AMI_OPCODE_NAME));
}

void addCallees(const CallBase &Call, Functions &Found) {
  if (const Function *Callee = Call.getCalledFunction())
    Found.insert(Callee);
  else if (!Call.isInlineAsm())
    for (const Function &F : *Call.getModule())
      if (F.hasAddressTaken())
        Found.insert(&F);
}

bool anyRunsTasks(Functions Found) {
  for (unsigned I = 0; I != Found.size(); ++I)
    for (const Instruction &Inside : instructions(*Found[I])) {
      if (belongsToTasks(Inside))
        return true;
      if (auto *Call = dyn_cast<CallBase>(&Inside))
        addCallees(*Call, Found);
    }
  return false;
}

} // namespace

bool asyncmem::mayRunTasks(const Function &F) {
  Functions Found;
  Found.insert(&F);
  return anyRunsTasks(std::move(Found));
}

bool asyncmem::mayRunTasks(const CallBase &Call) {
  Functions Found;
  addCallees(Call, Found);
  return anyRunsTasks(std::move(Found));
}
