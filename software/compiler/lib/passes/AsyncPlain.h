// SPDX-License-Identifier: Apache-2.0
// Between the two phases, before the optimizer works on loops: gives those back
// that will need no task, so that they are compiled as if they had no pragma
// (their restrict, which does not survive inlining, makes a copy a memcpy).

#ifndef ASYNCMEM_ASYNCPLAIN_H
#define ASYNCMEM_ASYNCPLAIN_H

#include "llvm/IR/PassManager.h"

namespace asyncmem {

/// Acts with the static scheduler only: with the others every remote access
/// makes a task wait.
class AsyncPlainPass : public llvm::PassInfoMixin<AsyncPlainPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

  static bool isRequired() { return true; }
};

} // namespace asyncmem

#endif
