// SPDX-License-Identifier: Apache-2.0

#include "passes/Simplification.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace asyncmem;

void asyncmem::simplifyTasks(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager Cleanup;
  Cleanup.addPass(EarlyCSEPass());
  Cleanup.addPass(ADCEPass());
  Cleanup.addPass(SimplifyCFGPass());
  Cleanup.run(F, FAM);
}

void asyncmem::simplifyPlainLoops(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  LoopPassManager Loops;
  Loops.addPass(LICMPass(LICMOptions()));
  LoopPassManager Counters;
  Counters.addPass(LoopIdiomRecognizePass());
  Counters.addPass(IndVarSimplifyPass());
  FunctionPassManager Passes;
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(InstCombinePass());
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Loops),
                                                 /*UseMemorySSA=*/true));
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Counters)));
  Passes.addPass(GVNPass());
  Passes.addPass(ADCEPass());
  FAM.invalidate(F, Passes.run(F, FAM));
}
