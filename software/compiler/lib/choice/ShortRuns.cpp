// SPDX-License-Identifier: Apache-2.0
// A function whose marked loop becomes tasks saves many registers, and has a large frame.
// A short run of the loop would notice. So the program calls a copy with the loop as it
// has it, for runs of which the policy has said that they are plain, and which end before
// it is to be asked:
//
//   function: ... -> short and plain? -> the loop -> ...
//                            \--> call of the function with the tasks, from its begin on
//
// That does again what comes before the loop, which must have changed nothing.

#include "choice/RunTimeChoice.h"
#include "choice/AdaptInterface.h"
#include "common/Blocks.h"
#include "common/LoopTag.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

/// What computing the number of iterations may cost, in instructions.
static constexpr unsigned FewInstructions = 8;

/// \returns how often \p L repeats at most, null if that is not known in front of it.
static const SCEV *repeatsOf(Loop &L, ScalarEvolution &SE,
                             FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
  const SCEV *Repeats = SE.getSymbolicMaxBackedgeTakenCount(&L);
  Instruction *Place = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "adapt");
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  if (isa<SCEVCouldNotCompute>(Repeats) ||
      SE.getTypeSizeInBits(Repeats->getType()) > 64 ||
      !Expander.isSafeToExpandAt(Repeats, Place) ||
      Expander.isHighCostExpansion(Repeats, &L, FewInstructions, &TTI, Place))
    return nullptr;
  return Repeats;
}

/// \returns true if it is the same to run \p BB again.
static bool changesNothing(const BasicBlock &BB) {
  return all_of(BB, [](const Instruction &I) {
    return !I.mayHaveSideEffects() || I.isDebugOrPseudoInst() ||
           I.isLifetimeStartOrEnd() || isa<AssumeInst>(I);
  });
}

std::unique_ptr<ShortRuns> ShortRuns::create(Loop &L,
                                             FunctionAnalysisManager &FAM) {
  Function &F = *L.getHeader()->getParent();
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  BasicBlock *Before = L.getLoopPreheader();
  if (!Before || F.isVarArg() || L.getParentLoop() ||
      any_of(LI.getLoopsInPreorder(),
             [&](Loop *Other) { return Other != &L && readTag(*Other); }) ||
      any_of(F, [](BasicBlock &BB) { return BB.hasAddressTaken(); }))
    return nullptr;
  for (BasicBlock *BB : inverse_depth_first(Before))
    if (LI.getLoopFor(BB) || !changesNothing(*BB))
      return nullptr;
  // What LLVM answers depends on what it was asked before, and the analyses of the
  // trial came without this question.
  ScalarEvolution SE(F, FAM.getResult<TargetLibraryAnalysis>(F),
                     FAM.getResult<AssumptionAnalysis>(F),
                     FAM.getResult<DominatorTreeAnalysis>(F), LI);
  return repeatsOf(L, SE, FAM)
             ? std::unique_ptr<ShortRuns>(new ShortRuns(L, FAM))
             : nullptr;
}

ShortRuns::ShortRuns(Loop &L, FunctionAnalysisManager &FAM)
    : FAM(FAM), F(*L.getHeader()->getParent()), Copy(CloneFunction(&F, Map)),
      Header(cast<BasicBlock>(Map.lookup(L.getHeader()))) {
  Copy->setLinkage(GlobalValue::InternalLinkage);
}

ShortRuns::~ShortRuns() {
  if (!Copy)
    return;
  FAM.clear(*Copy, Copy->getName());
  Map.clear();
  Copy->eraseFromParent();
}

/// \p New is what the program knows as \p Old.
static void takePlace(Function &New, Function &Old) {
  New.takeName(&Old);
  New.setLinkage(Old.getLinkage());
  New.setVisibility(Old.getVisibility());
  New.setComdat(Old.getComdat());
  Old.replaceUsesWithIf(
      &New, [](const Use &U) { return !isa<BlockAddress>(U.getUser()); });
  Old.setComdat(nullptr);
  Old.setVisibility(GlobalValue::DefaultVisibility);
  Old.setLinkage(GlobalValue::InternalLinkage);
  Old.setName(New.getName() + ".tasks");
  Old.removeFnAttr(Attribute::AlwaysInline);
  Old.removeFnAttr(Attribute::InlineHint);
  Old.addFnAttr(Attribute::NoInline);
}

Function &ShortRuns::finish(GlobalVariable *Record) {
  takePlace(*Copy, F);
  Copy->removeFnAttr(Attribute::Memory);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(*Copy);
  auto &LI = FAM.getResult<LoopAnalysis>(*Copy);
  Loop &L = *LI.getLoopFor(Header);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*Copy);
  const SCEV *Repeats = repeatsOf(L, SE, FAM);
  BasicBlock *Start = L.getLoopPreheader();
  BasicBlock *Held = SplitBlock(Start, Start->getTerminator(), &DT, &LI);
  auto *Ask = BasicBlock::Create(Copy->getContext(), "adapt.ask", Copy);
  SCEVExpander Expander(SE, Copy->getParent()->getDataLayout(), "adapt");
  Value *Most = Expander.expandCodeFor(Repeats, nullptr,
                                       Start->getTerminator()->getIterator());
  IRBuilder<> B(Start->getTerminator());
  Value *Left = loadLoopWord(B, Record, ADAPT_HELD);
  Value *May = B.CreateSelect(B.CreateIsNull(Left), Left,
                              loadLoopWord(B, Record, ADAPT_CHUNK));
  Value *IsShort = B.CreateICmpULT(B.CreateZExt(Most, B.getInt64Ty()), May);
  ReplaceInstWithInst(Start->getTerminator(),
                      BranchInst::Create(Held, Ask, IsShort));
  B.SetInsertPoint(Held->getTerminator());
  storeLoopWord(B, Record, ADAPT_HELD, B.CreateSub(Left, B.getInt64(1)));

  B.SetInsertPoint(Ask);
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Copy->args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(&F, Arguments);
  Call->setAttributes(F.getAttributes().removeFnAttributes(F.getContext()));
  Call->setCallingConv(F.getCallingConv());
  if (DISubprogram *Place = Copy->getSubprogram())
    Call->setDebugLoc(DILocation::get(F.getContext(), 0, 0, Place));
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
  Function &Done = *Copy;
  Copy = nullptr;
  FAM.invalidate(Done, PreservedAnalyses::none());
  return Done;
}
