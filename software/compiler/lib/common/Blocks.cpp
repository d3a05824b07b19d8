// SPDX-License-Identifier: Apache-2.0

#include "common/Blocks.h"
#include "common/Names.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

SmallVector<BasicBlock *, 16>
asyncmem::copyBlocks(ArrayRef<BasicBlock *> Blocks, ValueToValueMapTy &Map,
                     StringRef Suffix) {
  SmallVector<BasicBlock *, 16> New;
  SmallVector<MDNode *, 4> Scopes;
  identifyNoAliasScopesToClone(Blocks, Scopes);
  for (BasicBlock *BB : Blocks) {
    New.push_back(CloneBasicBlock(BB, Map, "." + Suffix, BB->getParent()));
    Map[BB] = New.back();
  }
  remapInstructionsInBlocks(New, Map);
  cloneAndAdaptNoAliasScopes(Scopes, New, Blocks.front()->getContext(), Suffix);
  return New;
}

Instruction *asyncmem::copyInstruction(IRBuilderBase &B, Instruction &I,
                                       ValueToValueMapTy &Map) {
  Instruction *Copy = B.Insert(I.clone(), I.getName());
  RemapInstruction(Copy, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  Map[&I] = Copy;
  return Copy;
}

void asyncmem::joinBehindCopies(ArrayRef<BasicBlock *> Blocks,
                                const ValueToValueMapTy &Map) {
  const SmallPtrSet<const BasicBlock *, 16> Inside(Blocks.begin(),
                                                   Blocks.end());
  for (BasicBlock *BB : Blocks)
    for (BasicBlock *To : successors(BB)) {
      if (Inside.contains(To))
        continue;
      for (PHINode &Phi : To->phis()) {
        Phi.addIncoming(mapped(Map, Phi.getIncomingValueForBlock(BB)),
                        mapped(Map, BB));
      }
    }
}

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

void asyncmem::linkProgramCode(Module &M, StringRef Bitcode,
                               ArrayRef<StringRef> Names, StringRef Remedy,
                               function_ref<void(Module &)> Adjust) {
  for (StringRef Name : Names)
    if (M.getNamedValue(Name))
      report_fatal_error("asyncmem: the program uses the reserved name " +
                             Name + "; " + Remedy,
                         /*gen_crash_diag=*/false);
  std::unique_ptr<Module> Code = cantFail(
      parseBitcodeFile(MemoryBufferRef(Bitcode, "asyncmem"), M.getContext()));
  Code->setTargetTriple(M.getTargetTriple());
  Code->setDataLayout(M.getDataLayout());
  if (NamedMDNode *Flags = Code->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  if (NamedMDNode *Ident = Code->getNamedMetadata("llvm.ident"))
    Ident->eraseFromParent();
  Adjust(*Code);
  Linker::linkModules(M, std::move(Code));
}

namespace {

DebugLoc locationOf(DISubprogram *Where, DILocation *Loop, StringRef Part) {
  LLVMContext &Context = Where->getContext();
  DIFile *File = DIFile::get(Context, Part, "");
  auto *Type = DISubroutineType::get(Context, DINode::FlagZero, 0,
                                     MDTuple::get(Context, {nullptr}));
  auto *Function = DISubprogram::getDistinct(
      Context, File, Part, /*LinkageName=*/"", File, /*Line=*/1, Type,
      /*ScopeLine=*/1, /*ContainingType=*/nullptr, /*VirtualIndex=*/0,
      /*ThisAdjustment=*/0, DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          DISubprogram::SPFlagOptimized,
      Where->getUnit());
  return DILocation::get(Context, /*Line=*/1, /*Column=*/0, Function, Loop);
}

} // namespace

CodeParts::CodeParts(Function &F, const DebugLoc &Loop) {
  DISubprogram *Where = F.getSubprogram();
  if (!Where || !Loop)
    return;
  DILocation *At =
      DILocation::getDistinct(F.getContext(), Loop.getLine(), Loop.getCol(),
                              Loop.getScope(), Loop.getInlinedAt());
  Scheduler = locationOf(Where, At, SchedulerPart);
  Context = locationOf(Where, At, ContextPart);
}
