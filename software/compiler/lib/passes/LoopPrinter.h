// SPDX-License-Identifier: Apache-2.0
// print<asyncmem-classes> and print<asyncmem-requests>: what the second phase
// knows of each marked loop, in text. It runs on a copy, the module stays as it is.

#ifndef ASYNCMEM_LOOPPRINTER_H
#define ASYNCMEM_LOOPPRINTER_H

#include "passes/Verify.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace asyncmem {

class LoopPrinterPass : public llvm::PassInfoMixin<LoopPrinterPass> {
public:
  LoopPrinterPass(Stage Shown, llvm::raw_ostream &Out)
      : Shown(Shown), Out(Out) {}

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

  static bool isRequired() { return true; }

private:
  Stage Shown;
  llvm::raw_ostream &Out;
};

} // namespace asyncmem

#endif
