// SPDX-License-Identifier: Apache-2.0
// Checks between the steps of the second phase, with -fplugin-arg-asyncmem-verify
// and in a debug build, always. What does not hold is a defect of the plugin and
// ends the compilation: "LLVM ERROR: asyncmem: <what>".

#ifndef ASYNCMEM_VERIFY_H
#define ASYNCMEM_VERIFY_H

#include "common/Options.h"
#include "passes/Stages.h"
#include "llvm/IR/Function.h"
#include <string>

namespace asyncmem {

/// Checks the data of \p T after \p S, and its function.
void verifyLoop(Stage S, const TaskLoop &T, const Options &Opts);

using Labels = llvm::SmallPtrSet<const llvm::BasicBlock *, 4>;

/// \returns the blocks whose address something takes and no jump of \p F goes to.
Labels labelsWithoutJump(const llvm::Function &F);

/// Checks a function whose loop has become tasks; \p Before had no jump before.
void verifyTasks(const llvm::Function &F, const Labels &Before);

/// An analysis runs while it lives: the function must stay as it is.
class UnchangedFunction {
public:
  UnchangedFunction(const llvm::Function &F, bool Check)
      : F(F), Check(Check), Before(Check ? text() : "") {}
  ~UnchangedFunction();
  UnchangedFunction(const UnchangedFunction &) = delete;
  UnchangedFunction &operator=(const UnchangedFunction &) = delete;

private:
  const llvm::Function &F;
  bool Check;
  std::string Before;

  std::string text() const;
};

} // namespace asyncmem

#endif
