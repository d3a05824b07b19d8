// SPDX-License-Identifier: Apache-2.0

#include "passes/LoopPreparation.h"
#include "common/Instructions.h"
#include "common/LoopTag.h"
#include "common/Machine.h"
#include "frontend/BodyMarks.h"
#include "frontend/Clauses.h"
#include "transform/BodyVariables.h"
#include "transform/LibraryCalls.h"
#include "transform/LoopForms.h"
#include "transform/LoopParts.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Utils/LoopRotationUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace asyncmem;

Loop *LoopPreparation::findTagged() {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (readTag(*L))
      return L;
  return nullptr;
}

bool LoopPreparation::prepareFunction() {
  bool Changed = showAllBases();
  tagPinned(F, FAM);
  if (findTagged()) {
    inlineCallees();
    if (separateVariables(F))
      FAM.invalidate(F, PreservedAnalyses::none());
    expandCalls();
    declareArithmetic();
    tidy();
    tagPinned(F, FAM);
    separateBodies();
  }
  return removePins(F) || Changed;
}

void LoopPreparation::separateBodies() {
  bool Changed = false;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    const Loop *Around = L->getParentLoop();
    while (Around && !readTag(*Around))
      Around = Around->getParentLoop();
    Changed |= readTag(*L) && !Around && separateBodyVariables(*L, F);
  }
  if (!Changed)
    return;
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, Kept);
}

bool LoopPreparation::showAllBases() {
  bool Changed = showBases(F);
  if (Changed)
    FAM.invalidate(F, PreservedAnalyses::none());
  return Changed;
}

void LoopPreparation::inlineCallees() {
  auto InlineOne = [&] {
    auto Loops = FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder();
    return any_of(Loops, [&](Loop *L) {
      return readTag(*L) && inlineCallee(*L, FAM, Opts);
    });
  };
  while (InlineOne()) {
    FAM.invalidate(F, PreservedAnalyses::none());
    showAllBases();
  }
}

void LoopPreparation::expandCalls() {
  SmallVector<Loop *, 2> Marked;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (readTag(*L))
      Marked.push_back(L);
  if (Opts.Scheduler != SchedulerKind::Check &&
      expandLibraryCalls(F, Marked, Machine(*F.getParent(), Opts).usesAmu()))
    FAM.invalidate(F, PreservedAnalyses::none());
}

static InlineAsm *withoutEffects(const InlineAsm &Code) {
  return InlineAsm::get(Code.getFunctionType(), Code.getAsmString(),
                        Code.getConstraintString(), /*hasSideEffects=*/false,
                        Code.isAlignStack(), Code.getDialect(),
                        Code.canThrow());
}

/// The front end says nothing of functions that only compute, a library's header too
/// much of instructions that do.
void LoopPreparation::declareArithmetic() {
  const Target On(*F.getParent());
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    for (BasicBlock *BB :
         readTag(*L) ? L->getBlocks() : ArrayRef<BasicBlock *>())
      for (Instruction &I : *BB) {
        auto *Call = dyn_cast<CallInst>(&I);
        auto *Code =
            Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
        if (Code && On.isArithmetic(*Code))
          Call->setCalledOperand(withoutEffects(*Code));
        else if (!isArithmetic(I))
          continue;
        Call->setDoesNotAccessMemory();
        Call->setDoesNotThrow();
        Call->addFnAttr(Attribute::WillReturn);
      }
}

/// Phis of equal bases become one value, equal loads of one iteration one load.
/// At -O1 the ways out of a scope still meet in one switch over a number that
/// says which it is. No task waits for a value nobody reads. What is no constant by
/// now is none (__builtin_constant_p).
void LoopPreparation::tidy() {
  FunctionPassManager Passes;
  Passes.addPass(LowerConstantIntrinsicsPass());
  Passes.addPass(InstSimplifyPass());
  Passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
  Passes.addPass(JumpThreadingPass());
  Passes.addPass(ADCEPass());
  FAM.invalidate(F, Passes.run(F, FAM));
}

void LoopPreparation::canonicalize(Loop &L, unsigned Id) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  SimplifyQuery Query(F.getParent()->getDataLayout(), nullptr, &DT, &AC);
  simplifyLoop(&L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
  formLCSSARecursively(L, DT, &LI, &SE);
  if (!L.isLoopExiting(L.getLoopLatch()))
    LoopRotation(&L, &LI, &TTI, &AC, &DT, &SE, nullptr, Query,
                 /*RotationOnly=*/true, /*Threshold=*/~0u,
                 /*IsUtilMode=*/true);
  simplifyLoop(&L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/true);
  formLCSSARecursively(L, DT, &LI, &SE);
  // Rotation, jump threading and nested coroutines leave such phis behind.
  foldPhis(L, DT);
  readAgain(L, SE, FAM.getResult<AAManager>(F));
  releaseVariables(L, Id);
  PreservedAnalyses Kept;
  Kept.preserve<DominatorTreeAnalysis>();
  Kept.preserve<LoopAnalysis>();
  Kept.preserve<ScalarEvolutionAnalysis>();
  Kept.preserve<AssumptionAnalysis>();
  Kept.preserve<AAManager>();
  FAM.invalidate(F, Kept);
}
