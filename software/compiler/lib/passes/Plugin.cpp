// SPDX-License-Identifier: Apache-2.0
// Entry point of -fplugin=asyncmem.so: the pragma, the options and the passes.

#include "common/Options.h"
#include "frontend/Pragma.h"
#include "passes/Passes.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace asyncmem;

namespace {

Compilation compilation(const clang::CodeGenOptions &CodeGen) {
  Compilation Found;
  Found.AtomicCounters = CodeGen.AtomicProfileUpdate;
  if (CodeGen.PrepareForThinLTO)
    Found.Phase = ThinOrFullLTOPhase::ThinLTOPreLink;
  else if (CodeGen.PrepareForLTO)
    Found.Phase = ThinOrFullLTOPhase::FullLTOPreLink;
  return Found;
}

class AsyncmemAction : public clang::PluginASTAction {
protected:
  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    clang::CodeGenOptions &CodeGen = CI.getCodeGenOpts();
    // Lines for the diagnostics of the passes; the object gets no debug data.
    if (CodeGen.getDebugInfo() == codegenoptions::NoDebugInfo)
      CodeGen.setDebugInfo(codegenoptions::LocTrackingOnly);
    CodeGen.PassBuilderCallbacks.push_back(
        [Opts = Opts, Like = compilation(CodeGen)](PassBuilder &PB) {
          PB.registerPipelineStartEPCallback(
              [Opts](ModulePassManager &MPM, OptimizationLevel Level) {
                if (Level != OptimizationLevel::O0)
                  MPM.addPass(WriteOptionsPass(Opts));
              });
          addToPipeline(PB, Like);
        });
    return registerPragma(CI, Opts.defaultTasks());
  }

  bool ParseArgs(const clang::CompilerInstance &CI,
                 const std::vector<std::string> &Args) override {
    clang::DiagnosticsEngine &Diags = CI.getDiagnostics();
    for (const std::string &Arg : Args) {
      std::string Error;
      if (!Opts.parse(Arg, Error)) {
        Diags.Report(
            Diags.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
            << Error;
        return false;
      }
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  Options Opts;
};

clang::FrontendPluginRegistry::Add<AsyncmemAction>
    Registration("asyncmem", "memory-driven coroutines for marked loops");

} // namespace
