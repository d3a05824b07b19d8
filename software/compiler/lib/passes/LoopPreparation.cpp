// SPDX-License-Identifier: Apache-2.0
// A function with tagged loops, and each such loop, in the form that the analyses expect.
//
// Algorithm: what hid marked pointers from the optimizer goes. Callees that access remote
// memory become part of the loop, until there are none; what they brought is folded. Then
// variables that bodies of copies of a loop share become apart. A loop gets one entry and
// one latch, is rotated, and its end compares the counter with a bound as wide as that.
//
//   while (p) visit(p), p = p->next;   ->   if (p) do { ...; p = p->next; } while (p);

#include "passes/LoopPipeline.h"
#include "common/Instructions.h"
#include "common/Machine.h"
#include "frontend/Clauses.h"
#include "transform/Transforms.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
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

Loop *asyncmem::findTagged(Function &F, FunctionAnalysisManager &FAM) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (readTag(*L))
      return L;
  return nullptr;
}

namespace {

InlineAsm *withoutEffects(const InlineAsm &Code) {
  return InlineAsm::get(Code.getFunctionType(), Code.getAsmString(),
                        Code.getConstraintString(), /*hasSideEffects=*/false,
                        Code.isAlignStack(), Code.getDialect(),
                        Code.canThrow());
}

class FunctionPreparation {
public:
  FunctionPreparation(Function &F, FunctionAnalysisManager &FAM,
                      const Options &Opts)
      : F(F), FAM(FAM), Opts(Opts) {}

  bool run() {
    bool Changed = showAllBases();
    tagPinned(F, FAM);
    if (findTagged(F, FAM)) {
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

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  const Options &Opts;

  bool showAllBases() {
    bool Changed = showBases(F);
    if (Changed)
      FAM.invalidate(F, PreservedAnalyses::none());
    return Changed;
  }

  void inlineCallees() {
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

  void expandCalls() {
    SmallVector<Loop *, 2> Marked;
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (readTag(*L))
        Marked.push_back(L);
    if (Opts.Scheduler != SchedulerKind::Check &&
        expandLibraryCalls(F, Marked, Machine(*F.getParent(), Opts).usesAmu()))
      FAM.invalidate(F, PreservedAnalyses::none());
  }

  /// The front end says nothing of functions that only compute, a library's header too
  /// much of instructions that do.
  void declareArithmetic() {
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
  void tidy() {
    FunctionPassManager Passes;
    Passes.addPass(LowerConstantIntrinsicsPass());
    Passes.addPass(InstSimplifyPass());
    Passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
    Passes.addPass(JumpThreadingPass());
    Passes.addPass(ADCEPass());
    FAM.invalidate(F, Passes.run(F, FAM));
  }

  /// Gives bodies that have a variable in one place (BodyVariables.cpp) one each, but
  /// for inner loops of a marked one.
  void separateBodies() {
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
};

} // namespace

bool asyncmem::prepareFunction(Function &F, FunctionAnalysisManager &FAM,
                               const Options &Opts) {
  return FunctionPreparation(F, FAM, Opts).run();
}

void asyncmem::canonicalize(Loop &L, unsigned Id,
                            FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
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
