// SPDX-License-Identifier: Apache-2.0
// Entry point of -fplugin=asyncmem.so: the pragma and the passes.

#include "common/Options.h"
#include "frontend/AsyncMark.h"
#include "frontend/Pragma.h"
#include "frontend/StorePlaces.h"
#include "passes/AsyncPlain.h"
#include "passes/AsyncSplit.h"
#include "passes/Trial.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Mark runs before any optimisation, behind a trial of everything; Split after inlining and the scalar
/// passes, before vectorisation (the paper's two phases, section III-G). Plain
/// runs when variables are values, before anything is inlined.
void addToPipeline(PassBuilder &PB) {
  PB.registerPipelineStartEPCallback(
      [&PB](ModulePassManager &MPM, OptimizationLevel Level) {
        AsyncMarkPass::Check Check;
        if (Level != OptimizationLevel::O0 &&
            processOptions().Scheduler != SchedulerKind::None)
          Check = [&PB, Level](Module &M, ModuleAnalysisManager &MAM) {
            return tryLoops(M, MAM, PB, Level, processOptions());
          };
        MPM.addPass(AsyncMarkPass(Check));
        if (processOptions().Scheduler == SchedulerKind::Check)
          MPM.addPass(KeepStorePlacesPass());
      });
  PB.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(AsyncPlainPass(processOptions()));
      });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level != OptimizationLevel::O0)
          MPM.addPass(AsyncSplitPass(processOptions()));
      });
}

class AsyncmemAction : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    clang::CodeGenOptions &CodeGen = CI.getCodeGenOpts();
    // Lines for the diagnostics of the passes; the object gets no debug data.
    if (CodeGen.getDebugInfo() == codegenoptions::NoDebugInfo)
      CodeGen.setDebugInfo(codegenoptions::LocTrackingOnly);
    CodeGen.PassBuilderCallbacks.push_back(addToPipeline);
    return registerPragma(CI);
  }

  bool ParseArgs(const clang::CompilerInstance &CI,
                 const std::vector<std::string> &Args) override {
    clang::DiagnosticsEngine &Diags = CI.getDiagnostics();
    for (const std::string &Arg : Args) {
      std::string Error;
      if (!processOptions().parse(Arg, Error)) {
        Diags.Report(
            Diags.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
            << Error;
        return false;
      }
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

clang::FrontendPluginRegistry::Add<AsyncmemAction>
    Registration("asyncmem", "memory-driven coroutines for marked loops");

} // namespace
