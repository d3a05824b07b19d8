// SPDX-License-Identifier: Apache-2.0
// First phase, right behind the front end: moves what the source said about a
// loop from calls into metadata, so that optimisation is not disturbed.

#ifndef ASYNCMEM_ASYNCMARK_H
#define ASYNCMEM_ASYNCMARK_H

#include "common/Outcomes.h"
#include "llvm/IR/PassManager.h"
#include <functional>

namespace asyncmem {

class AsyncMarkPass : public llvm::PassInfoMixin<AsyncMarkPass> {
public:
  /// Finds the loops to leave alone, before anything changes.
  using Check = std::function<RefusedLoops(llvm::Module &,
                                           llvm::ModuleAnalysisManager &)>;

  /// Reports the loops that \p FindRefused refuses and marks the others; null
  /// (-O0, no scheduler): only removes the marker calls.
  explicit AsyncMarkPass(Check FindRefused)
      : FindRefused(std::move(FindRefused)) {}

  /// On a trial: names the variables of the loops, marks all loops but \p Known,
  /// with \p Shared, and records in \p Trial which cannot be marked.
  AsyncMarkPass(const RefusedLoops &Known, SharedVariables Shared,
                Outcomes *Trial);

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

  /// \returns true if \p M has a pragma that is not among \p Refused.
  static bool hasOtherPragmas(const llvm::Module &M,
                              const RefusedLoops &Refused);

  static bool isRequired() { return true; }

private:
  Check FindRefused;
  SharedVariables Shared;
  Outcomes *Trial = nullptr;
};

} // namespace asyncmem

#endif
