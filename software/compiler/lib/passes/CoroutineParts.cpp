// SPDX-License-Identifier: Apache-2.0

#include "passes/CoroutineParts.h"
#include "common/CodeParts.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// LLVM's name for what goes on behind a suspension (CoroSplit); no function of
/// a source has a dot in its name.
bool resumesCoroutine(const Function &F) {
  return F.getName().ends_with(".resume") && !F.isDeclaration() &&
         F.arg_size() == 1 && F.getArg(0)->getType()->isPointerTy();
}

/// Whether \p I moves what the frame, \p F's argument, holds.
bool accessesFrame(const Instruction &I, const Function &F) {
  const Value *Place = getLoadStorePointerOperand(&I);
  return Place && getUnderlyingObject(Place) == F.getArg(0);
}

/// Whether \p I goes on with another coroutine (symmetric transfer).
bool transfers(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->isIndirectCall() && Call->isTailCall() &&
         isa_and_nonnull<ReturnInst>(Call->getNextNode());
}

/// What has lost its line goes with what follows it, lest the line table count
/// it to the frame access in front of it.
void markFrameAccesses(Function &F) {
  DISubprogram *Where = F.getSubprogram();
  if (!Where)
    return;
  DebugLoc Whole = DILocation::get(F.getContext(), Where->getLine(),
                                   /*Column=*/0, Where);
  CodeParts Parts(F, Whole);
  for (BasicBlock &Block : F) {
    DebugLoc Following = Whole;
    for (Instruction &I : reverse(Block)) {
      if (transfers(I))
        Following = Parts.Scheduler;
      else if (I.getDebugLoc() && I.getDebugLoc().getLine())
        Following = I.getDebugLoc();
      I.setDebugLoc(accessesFrame(I, F) ? Parts.Context : Following);
    }
  }
}

} // namespace

PreservedAnalyses CoroutinePartsPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    if (resumesCoroutine(F))
      markFrameAccesses(F);
  return PreservedAnalyses::all();
}
