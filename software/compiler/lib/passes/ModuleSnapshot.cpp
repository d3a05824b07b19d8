// SPDX-License-Identifier: Apache-2.0

#include "passes/ModuleSnapshot.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/Support/ErrorHandling.h"

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

} // namespace

ModuleSnapshot::ModuleSnapshot(const Module &M) {
  raw_svector_ostream Out(Bitcode);
  WriteBitcodeToFile(M, Out, /*ShouldPreserveUseListOrder=*/true);
}

std::unique_ptr<Module> ModuleSnapshot::copy(LLVMContext &Context) const {
  auto Copy = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), "trial"),
      Context);
  if (!Copy)
    report_fatal_error(Copy.takeError());
  return std::move(*Copy);
}

void ModuleSnapshot::run(ModulePassManager &Passes,
                         ModuleAnalysisManager &MAM) const {
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<Silence>());
  std::unique_ptr<Module> Copy = copy(Context);
  Passes.run(*Copy, MAM);
  MAM.clear(*Copy, Copy->getName());
}
