// SPDX-License-Identifier: Apache-2.0

#include "passes/Trial.h"
#include "frontend/AsyncMark.h"
#include "passes/AsyncSplit.h"
#include "llvm/Analysis/GlobalsModRef.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/IPO/ElimAvailExtern.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// The real compilation will report what the trial would.
struct Silence : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
  bool isAnalysisRemarkEnabled(StringRef) const override { return false; }
  bool isMissedOptRemarkEnabled(StringRef) const override { return false; }
  bool isPassedOptRemarkEnabled(StringRef) const override { return false; }
  bool isAnyRemarkEnabled() const override { return false; }
};

/// The module as it is before the first pass. A copy has a context of its own,
/// so that nothing of it reaches types, metadata or remarks of the original.
class Snapshot {
public:
  explicit Snapshot(const Module &M) {
    raw_svector_ostream Out(Bitcode);
    WriteBitcodeToFile(M, Out, /*ShouldPreserveUseListOrder=*/true);
  }

  std::unique_ptr<Module> read(LLVMContext &Context) const {
    auto Copy = parseBitcodeFile(
        MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), "trial"),
        Context);
    if (!Copy)
      report_fatal_error(Copy.takeError());
    return std::move(*Copy);
  }

private:
  SmallVector<char, 0> Bitcode;
};

/// One run over a copy with the pragmas that are not refused yet.
RefusedLoops tryOnce(const Snapshot &Start, const RefusedLoops &Known,
                     ModuleAnalysisManager &MAM, PassBuilder &PB,
                     OptimizationLevel Level, const Options &Opts) {
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<Silence>());
  std::unique_ptr<Module> Copy = Start.read(Context);
  Outcomes Found;
  // What PassBuilder puts between the start of the pipeline and the place of
  // the second phase.
  ModulePassManager Passes;
  Passes.addPass(AsyncMarkPass(Known, &Found));
  Passes.addPass(
      PB.buildModuleSimplificationPipeline(Level, ThinOrFullLTOPhase::None));
  Passes.addPass(EliminateAvailableExternallyPass());
  Passes.addPass(ReversePostOrderFunctionAttrsPass());
  Passes.addPass(RecomputeGlobalsAAPass());
  Passes.addPass(AsyncSplitPass(Opts, &Found));
  Passes.run(*Copy, MAM);
  MAM.clear(*Copy, Copy->getName());
  return Found.refused();
}

} // namespace

RefusedLoops asyncmem::findRefused(const Module &M, ModuleAnalysisManager &MAM,
                                   PassBuilder &PB, OptimizationLevel Level,
                                   const Options &Opts) {
  Snapshot Start(M);
  RefusedLoops All;
  while (true) {
    RefusedLoops More = tryOnce(Start, All, MAM, PB, Level, Opts);
    if (More.empty())
      return All;
    All.merge(More);
    if (!AsyncMarkPass::hasOtherPragmas(M, All))
      return All;
  }
}
