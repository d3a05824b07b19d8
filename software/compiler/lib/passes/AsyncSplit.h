// SPDX-License-Identifier: Apache-2.0
// Second phase, after most of the scalar optimisations: turns every tagged loop
// into tasks, one an iteration, and the scheduler that runs them.
//
// Algorithm: functions are prepared, callers first, since a callee becomes part of its
// caller's loop as the source has it. Then each tagged loop, outer before inner, goes through
// the pipeline (LoopPipeline.h). At the end each pragma has its verdict, and marks go.
//
//   for (...) sum += table[key[i]]; !tag   ->   Init, Launch, body, Return, Finalize

#ifndef ASYNCMEM_ASYNCSPLIT_H
#define ASYNCMEM_ASYNCSPLIT_H

#include "common/Reports.h"
#include "passes/Verify.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace asyncmem {

class AsyncSplitPass : public llvm::PassInfoMixin<AsyncSplitPass> {
public:
  /// \p Trial takes what became of each loop; null: it is reported.
  explicit AsyncSplitPass(Outcomes *Trial = nullptr) : Trial(Trial) {}

  /// Stops behind \p Last, with the loops as they are then: to be looked at,
  /// or, Prepared, to go on.
  explicit AsyncSplitPass(Stage Last, Outcomes *Trial = nullptr,
                          StageObserver Observer = nullptr)
      : Trial(Trial), Last(Last), Observer(std::move(Observer)) {}

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

  static bool isRequired() { return true; }

private:
  Outcomes *Trial;
  std::optional<Stage> Last;
  StageObserver Observer;
};

} // namespace asyncmem

#endif
