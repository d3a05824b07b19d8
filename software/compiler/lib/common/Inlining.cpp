// SPDX-License-Identifier: Apache-2.0

#include "common/Inlining.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

bool asyncmem::isInlineCompatible(Function &Caller, Function &Callee,
                                  FunctionAnalysisManager &FAM) {
  return FAM.getResult<TargetIRAnalysis>(Caller).areInlineCompatible(&Caller,
                                                                     &Callee) &&
         AttributeFuncs::areInlineCompatible(Caller, Callee);
}

bool asyncmem::inlineCall(CallBase &Call) {
  Function &Caller = *Call.getFunction(), &Callee = *Call.getCalledFunction();
  InlineFunctionInfo Info;
  if (!isInlineViable(Callee).isSuccess() ||
      !InlineFunction(Call, Info).isSuccess())
    return false;
  AttributeFuncs::mergeAttributesForInlining(Caller, Callee);
  return true;
}
