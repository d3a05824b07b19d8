// SPDX-License-Identifier: Apache-2.0

#include "passes/LoopPreparation.h"
#include "analysis/Classify.h"
#include "analysis/CollectAccesses.h"
#include "analysis/Legality.h"
#include "analysis/PrivateMemory.h"
#include "analysis/RemotePointers.h"
#include "analysis/RemoteUpdates.h"
#include "analysis/IterationGraph.h"
#include "common/Instructions.h"
#include "common/Target.h"
#include "frontend/Clauses.h"
#include "frontend/BodyMarks.h"
#include "common/LoopTag.h"
#include "passes/Verify.h"
#include "requests/Coalesce.h"
#include "requests/NearLines.h"
#include "requests/RecordRequests.h"
#include "requests/RowRequests.h"
#include "requests/StripRequests.h"
#include "tasks/Scheduler.h"
#include "transform/AccessPieces.h"
#include "transform/Marks.h"
#include "transform/Ownership.h"
#include "transform/LoopForms.h"
#include "transform/LoopParts.h"
#include "transform/UpdateForms.h"
#include "transform/JoinedIterations.h"
#include "transform/BodyVariables.h"
#include "transform/WholeUpdates.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
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

static InlineAsm *withoutEffects(const InlineAsm &Code) {
  return InlineAsm::get(Code.getFunctionType(), Code.getAsmString(),
                        Code.getConstraintString(), /*hasSideEffects=*/false,
                        Code.isAlignStack(), Code.getDialect(),
                        Code.canThrow());
}

/// The front end says nothing of functions that only compute, a library's header too
/// much of instructions that do.
void LoopPreparation::declareArithmetic() {
  const Target Machine(*F.getParent());
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    for (BasicBlock *BB :
         readTag(*L) ? L->getBlocks() : ArrayRef<BasicBlock *>())
      for (Instruction &I : *BB) {
        auto *Call = dyn_cast<CallInst>(&I);
        auto *Code =
            Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
        if (Code && Machine.isArithmetic(*Code))
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
  widenEnd(L, SE);
  releaseVariables(L, Id);
  PreservedAnalyses Kept;
  Kept.preserve<DominatorTreeAnalysis>();
  Kept.preserve<LoopAnalysis>();
  Kept.preserve<ScalarEvolutionAnalysis>();
  Kept.preserve<AssumptionAnalysis>();
  Kept.preserve<AAManager>();
  FAM.invalidate(F, Kept);
}

/// Gives accesses and updates the forms that the analyses know, and drops the
/// marks.
bool LoopPreparation::normalize(TaskLoop &T, Refusal &No) {
  bool Requests = Opts.usesAmu();
  if (splitCompares(*T.L, Requests,
                    {FAM.getResult<LoopAnalysis>(F),
                     FAM.getResult<DominatorTreeAnalysis>(F),
                     FAM.getResult<AssumptionAnalysis>(F)})) {
    PreservedAnalyses Kept;
    Kept.preserve<DominatorTreeAnalysis>();
    Kept.preserve<LoopAnalysis>();
    Kept.preserve<AssumptionAnalysis>();
    FAM.invalidate(F, Kept);
  }
  splitIntoPieces(*T.L, F, Requests);
  RemotePointers Pointers(*T.L);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  LoopBlocksRPO Order(T.L);
  Order.perform(&LI);
  T.Blocks.assign(Order.begin(), Order.end());
  makeUpdatesUnconditional(T);
  if (!analyzeShape(T, No) || !collectAccesses(T, Pointers, Requests, No) ||
      !dropDeadAccesses(T, No) || !collectPrivateMemory(T, No))
    return false;
  readLate(T);
  bool HasNewSums = sumInIterations(T);
  if (makeUpdatesWhole(T, FAM.getResult<AAManager>(F), LI) || HasNewSums)
    FAM.getResult<ScalarEvolutionAnalysis>(F).forgetLoop(T.L);
  return true;
}

bool LoopPreparation::analyze(TaskLoop &T, Refusal &No) {
  if (!normalize(T, No))
    return false;
  UnchangedFunction Check(F, Opts.Verify);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  return classifyCarriedValues(T, FAM.getResult<AAManager>(F), No) &&
         checkMemoryDependences(T, SE, No) &&
         findRemoteUpdates(T, SE, Opts.usesAmu(), No);
}

static bool savesRequests(const Options &Opts) {
  return Opts.usesAmu() && Opts.Coalesce.Fields && Opts.Coalesce.Sets;
}

bool LoopPreparation::joinIterations(TaskLoop &T) {
  return savesRequests(Opts) &&
         asyncmem::joinIterations(T, {FAM.getResult<LoopAnalysis>(F),
                                      FAM.getResult<DominatorTreeAnalysis>(F),
                                      FAM.getResult<ScalarEvolutionAnalysis>(F),
                                      FAM.getResult<AssumptionAnalysis>(F),
                                      FAM.getResult<TargetIRAnalysis>(F)});
}

CheckedAccesses LoopPreparation::checkedAccesses(const TaskLoop &T) {
  UnchangedFunction Check(F, Opts.Verify);
  return asyncmem::checkedAccesses(T,
                                   FAM.getResult<ScalarEvolutionAnalysis>(F));
}

unsigned LoopPreparation::checkLoop(const CheckedLoop &Loop) {
  return asyncmem::checkLoop(Loop, {FAM.getResult<LoopAnalysis>(F),
                                    FAM.getResult<DominatorTreeAnalysis>(F),
                                    FAM.getResult<ScalarEvolutionAnalysis>(F)});
}

void LoopPreparation::protectUpdates(TaskLoop &T) {
  takeOwnership(T, FAM.getResult<DominatorTreeAnalysis>(F),
                FAM.getResult<LoopAnalysis>(F));
}

CoalesceAnalyses LoopPreparation::analyses() {
  return {FAM.getResult<AAManager>(F), FAM.getResult<AssumptionAnalysis>(F),
          FAM.getResult<DominatorTreeAnalysis>(F),
          FAM.getResult<ScalarEvolutionAnalysis>(F)};
}

void LoopPreparation::planGroups(TaskLoop &T, unsigned Tasks) {
  UnchangedFunction Check(F, Opts.Verify);
  asyncmem::planGroups(T, Scheduler::limits(Opts, Tasks), analyses());
}

void LoopPreparation::planRequests(TaskLoop &T, unsigned Tasks) {
  moveTogether(T);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  {
    UnchangedFunction Check(F, Opts.Verify);
    if (Opts.Scheduler == SchedulerKind::Static) {
      planNear(T, Opts, Tasks, analyses(), LI);
      return;
    }
    if (Opts.Coalesce.Fields)
      requestRecords(T, Tasks, analyses(), LI,
                     FAM.getResult<BlockFrequencyAnalysis>(F));
    if (Opts.Coalesce.Sets && !Opts.AdaptTasks)
      carryStores(T, Tasks);
    if (Opts.Coalesce.Fields)
      requestRows(T, analyses(), LI);
    if (Opts.Coalesce.Fields && Opts.Coalesce.Sets)
      planStrips(T, Scheduler::limits(Opts, Tasks), analyses(), LI, TTI);
  }
  countStrips(T, FAM.getResult<ScalarEvolutionAnalysis>(F), LI);
}

void LoopPreparation::groupAccesses(TaskLoop &T, unsigned Tasks) {
  planGroups(T, Tasks);
  planRequests(T, Tasks);
  insertPrefetches(T);
}
