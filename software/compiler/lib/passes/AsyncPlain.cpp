// SPDX-License-Identifier: Apache-2.0
// Analyses a copy of the function as AsyncSplit will. Only what is certain now
// counts: innermost loops without calls, whose other objects are local or global,
// since inlining may show more remote memory. Where nothing is left to wait for, tag
// and fresh bases go, and marks move before the loop.

#include "passes/AsyncPlain.h"
#include "analysis/RemotePointers.h"
#include "analysis/Shape.h"
#include "common/Calls.h"
#include "common/ModuleOptions.h"
#include "common/Names.h"
#include "frontend/HiddenBases.h"
#include "frontend/LoopTag.h"
#include "passes/LoopPreparation.h"
#include "passes/Remarks.h"
#include "transform/FatalExits.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <set>

using namespace llvm;
using namespace asyncmem;

namespace {

/// Numbers of pragmas.
using PlainLoops = std::set<unsigned>;

/// \returns true if \p L is inside a tagged loop.
bool isInsideTagged(const Loop &L) {
  for (const Loop *Outer = L.getParentLoop(); Outer;
       Outer = Outer->getParentLoop())
    if (readTag(*Outer))
      return true;
  return false;
}

class TrialSplit {
public:
  TrialSplit(Function &Original, FunctionAnalysisManager &FAM,
             const Options &Opts)
      : F(copy(Original)), FAM(FAM), Opts(Opts), Prepare(F, FAM, Opts) {}

  ~TrialSplit() {
    FAM.clear(F, F.getName());
    F.eraseFromParent();
  }

  /// \returns the loops that stay as they are.
  PlainLoops run() {
    SmallVector<Loop *, 4> Uncertain;
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (readTag(*L) && (!isWhole(*L) || isInsideTagged(*L)))
        Uncertain.push_back(L);
    for_each(Uncertain, [](Loop *L) { removeTag(*L); });
    showBases(F, [](const BasicBlock &) { return true; });
    FunctionPassManager Simplify;
    Simplify.addPass(InstCombinePass());
    Simplify.addPass(SimplifyCFGPass());
    Simplify.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    Simplify.addPass(ADCEPass());
    Simplify.run(F, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());

    PlainLoops Plain;
    while (Loop *L = Prepare.findTagged()) {
      if (!keepFatalExits(*L)) {
        LoopTagInfo Tag = *readTag(*L);
        removeTag(*L);
        if (needsNoTask(*L, Tag))
          Plain.insert(Tag.Id);
      }
      FAM.invalidate(F, PreservedAnalyses::none());
    }
    return Plain;
  }

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  const Options &Opts;
  LoopPreparation Prepare;

  static Function &copy(Function &Original) {
    ValueToValueMapTy Map;
    Function *Copy = CloneFunction(&Original, Map);
    Copy->setLinkage(GlobalValue::InternalLinkage);
    return *Copy;
  }

  bool needsNoTask(Loop &L, const LoopTagInfo &Tag) {
    Prepare.canonicalize(L, Tag.Id);
    if (!hasKnownObjects(L))
      return false;
    TaskLoop T;
    T.L = &L;
    Refusal No;
    if (!Prepare.analyze(T, No))
      return false;
    Prepare.groupAccesses(T, Opts.Tasks ? Opts.Tasks : Tag.Tasks);
    return T.Groups.empty();
  }

  /// \returns true if what \p L accesses is remote, local or global.
  bool hasKnownObjects(const Loop &L) const {
    RemotePointers Pointers(F);
    auto IsKnown = [&](const Instruction &I) {
      const Value *Pointer = getLoadStorePointerOperand(&I);
      return Pointer
                 ? Pointers.isRemote(Pointer) ||
                       all_of(Pointers.unmarkedObjects(Pointer),
                              [](const Value *Object) {
                                return isa<AllocaInst, GlobalVariable>(Object);
                              })
                 : I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() ||
                       isMark(I) || !I.mayReadOrWriteMemory();
    };
    return all_of(L.blocks(),
                  [&](const BasicBlock *BB) { return all_of(*BB, IsKnown); });
  }
};

/// Takes everything from \p L that the pragma and the marks brought.
void giveBack(Loop &L) {
  showBases(*L.getHeader()->getParent(),
            [&](const BasicBlock &BB) { return L.contains(&BB); });
  removeTag(L);
  BasicBlock *Preheader = L.getLoopPreheader();
  if (!Preheader)
    return;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : make_early_inc_range(*BB))
      if (callsFunction(I, PromisedFunction))
        I.eraseFromParent();
      else if (callsFunction(I, RemoteFunction) &&
               L.isLoopInvariant(I.getOperand(0)))
        I.moveBefore(Preheader->getTerminator());
}

/// The second phase does not look for these loops.
void forgetPragmas(Module &M, const PlainLoops &Plain) {
  NamedMDNode *List = M.getNamedMetadata(PragmaList);
  SmallVector<MDNode *, 8> Left;
  for (MDNode *Node : List->operands())
    if (!Plain.count(unsigned(mdconst::extract<ConstantInt>(Node->getOperand(0))
                                  ->getZExtValue())))
      Left.push_back(Node);
  List->clearOperands();
  for (MDNode *Node : Left)
    List->addOperand(Node);
}

} // namespace

PreservedAnalyses AsyncPlainPass::run(Module &M, ModuleAnalysisManager &MAM) {
  const Options Opts = readOptions(M);
  if (Opts.Scheduler != SchedulerKind::Static ||
      !M.getNamedMetadata(PragmaList))
    return PreservedAnalyses::all();
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallVector<Function *, 8> Tagged;
  for (Function &F : M)
    if (!F.isDeclaration() && LoopPreparation(F, FAM, Opts).findTagged())
      Tagged.push_back(&F);
  PlainLoops All;
  for (Function *F : Tagged) {
    PlainLoops Plain = TrialSplit(*F, FAM, Opts).run();
    for (Loop *L : FAM.getResult<LoopAnalysis>(*F).getLoopsInPreorder()) {
      std::optional<LoopTagInfo> Tag = readTag(*L);
      if (!Tag || !Plain.count(Tag->Id))
        continue;
      reportPlain(*F, Tag->Pragma);
      giveBack(*L);
    }
    All.insert(Plain.begin(), Plain.end());
  }
  if (All.empty())
    return PreservedAnalyses::all();
  forgetPragmas(M, All);
  return PreservedAnalyses::none();
}
