// SPDX-License-Identifier: Apache-2.0
// Steps of the second phase after which a loop can be looked at, and at which the
// phase can stop.

#ifndef ASYNCMEM_VERIFY_H
#define ASYNCMEM_VERIFY_H

#include "common/Options.h"
#include "common/LoopTag.h"
#include "common/TaskLoop.h"
#include <functional>
#include <string>

namespace asyncmem {

enum class Stage {
  /// The loop has the form "body, then condition" and its callees inside; tag and
  /// marks are there, so that the phase can begin anew.
  Prepared,
  /// It will be split: accesses, classes and updates are known.
  Classified,
  /// Which accesses wait together is planned; on the AMU updates are exclusive.
  Grouped,
  /// With prefetches: accesses have moved together; which of them are near is
  /// planned.
  Near,
  /// Accesses have moved together and updates are exclusive; where tasks wait for
  /// which requests is known.
  Planned
};

/// Looks at a loop behind each step; never at Prepared.
using StageObserver =
    std::function<void(Stage, const TaskLoop &, const LoopTagInfo &)>;

// Checks between the steps of the second phase, with -fplugin-arg-asyncmem-verify
// and in a debug build, always. What does not hold is a defect of the plugin and
// ends the compilation: "LLVM ERROR: asyncmem: <what>".

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
