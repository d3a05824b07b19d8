// SPDX-License-Identifier: Apache-2.0
// First phase, right behind the front end: moves what the source said about a
// loop from calls into metadata, so that optimisation is not disturbed.
//
// Algorithm: the loops of all marks are found and tried on a copy; a refused mark goes, with
// the marks of pointers that only its loop needs. Calls that get the address of a clause's
// variable become part of the function. Then, for each mark left: one latch, clauses carried
// out, marked pointers hidden, the loop tagged, or pinned where a trial has lost the tag. At
// the end the mark of each pointer is repeated for what is stored to its variable.
//
//   __asyncmem_mark(3, 64); for (...) ...   ->   for (...) ...   !{"asyncmem", 3, 64, ...}

#ifndef ASYNCMEM_ASYNCMARK_H
#define ASYNCMEM_ASYNCMARK_H

#include "common/Reports.h"
#include "llvm/IR/PassManager.h"
#include <functional>

namespace asyncmem {

class AsyncMarkPass : public llvm::PassInfoMixin<AsyncMarkPass> {
public:
  /// Finds the loops to leave alone and those to pin, before anything changes.
  using Check =
      std::function<TrialResult(llvm::Module &, llvm::ModuleAnalysisManager &)>;

  /// Reports the loops that \p TryLoops refuses and marks the others; null
  /// (-O0) or without a scheduler: only removes the marker calls.
  explicit AsyncMarkPass(Check TryLoops) : TryLoops(std::move(TryLoops)) {}

  /// On a trial: names the variables of the loops, marks all loops but those
  /// that \p Known refuses, with \p Shared, and records in \p Trial which cannot
  /// be marked.
  AsyncMarkPass(const TrialResult &Known, SharedVariables Shared,
                Outcomes *Trial);

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

  /// \returns true if \p M has a pragma that is not among \p Refused.
  static bool hasOtherPragmas(const llvm::Module &M,
                              const RefusedLoops &Refused);

  static bool isRequired() { return true; }

private:
  Check TryLoops;
  SharedVariables Shared;
  Outcomes *Trial = nullptr;
};

} // namespace asyncmem

#endif
