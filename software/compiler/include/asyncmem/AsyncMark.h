// SPDX-License-Identifier: Apache-2.0
// First phase, right behind the front end: moves what the source said about a
// loop from calls into metadata, so that optimisation is not disturbed.

#ifndef ASYNCMEM_ASYNCMARK_H
#define ASYNCMEM_ASYNCMARK_H

#include "llvm/IR/PassManager.h"

namespace asyncmem {

class AsyncMarkPass : public llvm::PassInfoMixin<AsyncMarkPass> {
public:
  /// \p Optimizing false (-O0, no scheduler) only removes the marker calls.
  explicit AsyncMarkPass(bool Optimizing) : Optimizing(Optimizing) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

  static bool isRequired() { return true; }

private:
  bool Optimizing;
};

} // namespace asyncmem

#endif
