// SPDX-License-Identifier: Apache-2.0
// Second phase, after most of the scalar optimisations: turns every tagged loop
// into tasks, one an iteration, and the scheduler that runs them.

#ifndef ASYNCMEM_ASYNCSPLIT_H
#define ASYNCMEM_ASYNCSPLIT_H

#include "common/Options.h"
#include "common/Outcomes.h"
#include "llvm/IR/PassManager.h"

namespace asyncmem {

class AsyncSplitPass : public llvm::PassInfoMixin<AsyncSplitPass> {
public:
  /// \p Trial takes what became of each loop; null: it is reported.
  explicit AsyncSplitPass(const Options &Opts, Outcomes *Trial = nullptr)
      : Opts(Opts), Trial(Trial) {}

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

  static bool isRequired() { return true; }

private:
  Options Opts;
  Outcomes *Trial;
};

} // namespace asyncmem

#endif
