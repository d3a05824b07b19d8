// SPDX-License-Identifier: Apache-2.0
// From a tagged loop to what AsyncSplit knows of it: the tag, the function and
// the loop in the form the analyses expect, the accesses tasks wait at.

#ifndef ASYNCMEM_LOOPPREPARATION_H
#define ASYNCMEM_LOOPPREPARATION_H

#include "asyncmem/NearLines.h"
#include "asyncmem/Refusal.h"
#include "asyncmem/TaskLoop.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace asyncmem {

/// The tag AsyncMark left on a loop.
struct LoopTagInfo {
  unsigned Id;
  unsigned Tasks;
  /// Clauses of the pragma changed the loop when it was marked.
  bool HasClauses;
  llvm::DebugLoc Pragma;
};

std::optional<LoopTagInfo> readTag(const llvm::Loop &L);

/// Gives the loop back to the other passes.
void removeTag(llvm::Loop &L);

/// Takes back what AsyncMark hid from the optimizer, in the blocks of \p F that
/// \p Where accepts. \returns true if there was something.
bool showBases(llvm::Function &F,
               llvm::function_ref<bool(const llvm::BasicBlock &)> Where);

class LoopPreparation {
public:
  LoopPreparation(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                  const Options &Opts)
      : F(F), FAM(FAM), Opts(Opts) {}

  /// \returns the first loop with a tag, null if there is none.
  llvm::Loop *findTagged();

  /// Shows the bases, inlines what tagged loops call and tidies up. \returns
  /// true if \p F changed.
  bool prepareFunction();

  /// Brings the loop into the form "body, then condition".
  void canonicalize(llvm::Loop &L);

  /// Finds accesses and classes of values. \returns false if the loop must
  /// stay serial, for the reason in \p No.
  bool analyze(TaskLoop &T, Refusal &No);

  /// Finds where \p Tasks tasks wait. With the static scheduler that may be
  /// nowhere; else the counts are 0.
  NearCounts groupAccesses(TaskLoop &T, unsigned Tasks);

  /// Makes T.Updates exclusive where another task may come between.
  void protectUpdates(TaskLoop &T);

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  const Options &Opts;

  bool showAllBases();
  void inlineCallees();
  void tidy();
};

} // namespace asyncmem

#endif
