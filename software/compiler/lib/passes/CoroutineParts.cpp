// SPDX-License-Identifier: Apache-2.0

#include "passes/CoroutineParts.h"
#include "common/CodeParts.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
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

void markFrameAccesses(Function &F) {
  DISubprogram *Where = F.getSubprogram();
  if (!Where)
    return;
  CodeParts Parts(F, DILocation::get(F.getContext(), Where->getLine(),
                                     /*Column=*/0, Where));
  for (Instruction &I : instructions(F))
    if (const Value *Place = getLoadStorePointerOperand(&I))
      if (getUnderlyingObject(Place) == F.getArg(0))
        I.setDebugLoc(Parts.Context);
}

} // namespace

PreservedAnalyses CoroutinePartsPass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    if (resumesCoroutine(F))
      markFrameAccesses(F);
  return PreservedAnalyses::all();
}
