// SPDX-License-Identifier: Apache-2.0
// What is done with the code once tasks are there: it is tidied, counts context
// operations if asked for, and the line table says what of it moves context, in
// hand-written coroutines and state machines, too.
//
// Algorithm: schedulers and frames have put metadata on what counts; each block adds the sum
// of its own to the counter. In a resumed coroutine, what loads from its frame or stores
// there gets the debug location of context, as do accesses to variables that are annotated as
// state of a machine.
//
//   store %i, %frame, !asyncmem.context   ->   store %i, %frame; __asyncmem_context_ops += 1

#include "passes/Passes.h"
#include "common/Blocks.h"
#include "common/Names.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
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

namespace {

/// The counter is weak: each object has it, the linker keeps one.
GlobalVariable *counter(Module &M, StringRef Name) {
  Type *I64 = Type::getInt64Ty(M.getContext());
  auto *G = cast<GlobalVariable>(M.getOrInsertGlobal(Name, I64));
  G->setInitializer(ConstantInt::get(I64, 0));
  G->setLinkage(GlobalValue::WeakAnyLinkage);
  return G;
}

void add(IRBuilderBase &B, GlobalVariable *Counter, uint64_t Amount) {
  Value *Old = B.CreateLoad(B.getInt64Ty(), Counter);
  B.CreateStore(B.CreateAdd(Old, B.getInt64(Amount)), Counter);
}

} // namespace

void asyncmem::addContextCounters(Function &F) {
  static constexpr std::pair<const char *, const char *> Counted[] = {
      {ContextTag, ContextCounter},
      {SwitchTag, SwitchCounter},
      {GrowTag, GrowCounter},
      {ShrinkTag, ShrinkCounter}};
  for (auto [Tag, Name] : Counted) {
    GlobalVariable *Counter = counter(*F.getParent(), Name);
    unsigned Kind = F.getContext().getMDKindID(Tag);
    for (BasicBlock &BB : F) {
      uint64_t Amount = 0;
      for (Instruction &I : BB) {
        Amount += I.hasMetadata(Kind);
        I.setMetadata(Kind, nullptr);
      }
      IRBuilder<> B(BB.getTerminator());
      if (Amount)
        add(B, Counter, Amount);
    }
  }
}

namespace {

using Records = SmallPtrSet<const Value *, 4>;

/// LLVM's name for what goes on behind a suspension (CoroSplit); no function of
/// a source has a dot in its name.
bool resumesCoroutine(const Function &F) {
  return F.getName().ends_with(".resume") && !F.isDeclaration() &&
         F.arg_size() == 1 && F.getArg(0)->getType()->isPointerTy();
}

/// The variables annotated as context (an annotation is {variable, text, ...}).
Records recordsOf(const Module &M) {
  Records Found;
  const auto *List = M.getNamedGlobal("llvm.global.annotations");
  const auto *Entries =
      List ? dyn_cast<ConstantArray>(List->getInitializer()) : nullptr;
  if (!Entries)
    return Found;
  for (const Use &Entry : Entries->operands()) {
    const auto *Fields = cast<ConstantStruct>(Entry);
    const auto *Text =
        dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts());
    const auto *String =
        Text ? dyn_cast<ConstantDataSequential>(Text->getInitializer())
             : nullptr;
    if (String && String->isCString() && String->getAsCString() == ContextPart)
      Found.insert(Fields->getOperand(0)->stripPointerCasts());
  }
  return Found;
}

/// Whether \p I moves what one of \p Places holds.
bool movesContext(const Instruction &I, const Records &Places) {
  auto Is = [&Places](const Value *Place) {
    return Place && Places.contains(getUnderlyingObject(Place));
  };
  if (const auto *Copy = dyn_cast<MemTransferInst>(&I))
    return Is(Copy->getRawDest()) || Is(Copy->getRawSource());
  return Is(getLoadStorePointerOperand(&I));
}

/// Whether \p I goes on with another coroutine (symmetric transfer).
bool transfers(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->isIndirectCall() && Call->isTailCall() &&
         isa_and_nonnull<ReturnInst>(Call->getNextNode());
}

/// What has lost its line goes with what follows it, lest the line table count
/// it to the access in front of it.
void markParts(Function &F, const Records &Places) {
  DISubprogram *Where = F.getSubprogram();
  if (!Where)
    return;
  const bool Resumes = resumesCoroutine(F);
  DebugLoc Whole = DILocation::get(F.getContext(), Where->getLine(),
                                   /*Column=*/0, Where);
  CodeParts Parts(F, Whole);
  for (BasicBlock &Block : F) {
    DebugLoc Following = Whole;
    for (Instruction &I : reverse(Block)) {
      if (Resumes && transfers(I))
        Following = Parts.Scheduler;
      else if (I.getDebugLoc() && I.getDebugLoc().getLine())
        Following = I.getDebugLoc();
      I.setDebugLoc(movesContext(I, Places) ? Parts.Context : Following);
    }
  }
}

} // namespace

PreservedAnalyses HandwrittenPartsPass::run(Module &M,
                                            ModuleAnalysisManager &) {
  const Records Marked = recordsOf(M);
  for (Function &F : M) {
    auto Moves = [&](const Instruction &I) { return movesContext(I, Marked); };
    if (resumesCoroutine(F))
      markParts(F, {F.getArg(0)});
    else if (any_of(instructions(F), Moves))
      markParts(F, Marked);
  }
  return PreservedAnalyses::all();
}

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
