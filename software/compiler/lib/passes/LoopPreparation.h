// SPDX-License-Identifier: Apache-2.0
// From a tagged loop to what AsyncSplit knows of it: the tag, the function and
// the loop in the form the analyses expect, the accesses tasks wait at.

#ifndef ASYNCMEM_LOOPPREPARATION_H
#define ASYNCMEM_LOOPPREPARATION_H

#include "common/Reports.h"
#include "common/TaskLoop.h"
#include "requests/RequestPlan.h"
#include "transform/Checker.h"
#include "llvm/IR/PassManager.h"

namespace asyncmem {

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

  /// Brings the loop of the pragma \p Id into the form "body, then condition".
  void canonicalize(llvm::Loop &L, unsigned Id);

  /// Finds accesses and classes of values, when both have the forms it knows
  /// (normalize). \returns false if the loop must stay serial, for the reason in
  /// \p No.
  bool analyze(TaskLoop &T, Refusal &No);

  /// Joins iterations of the analysed loop (JoinedIterations.h), which is to be analysed
  /// anew then, where that saves requests. \returns true if it did.
  bool joinIterations(TaskLoop &T);

  /// Says what the pragma promises of the analysed loop (Checker.h).
  CheckedAccesses checkedAccesses(const TaskLoop &T);

  /// Lets the program check that.
  unsigned checkLoop(const CheckedLoop &Loop);

  /// Plans which accesses wait together (Coalesce.h).
  void planGroups(TaskLoop &T, unsigned Tasks);

  /// Moves them together and plans what \p Tasks tasks request there, or which
  /// accesses are near.
  void planRequests(TaskLoop &T, unsigned Tasks);

  /// Both, with the prefetches: then it is known where tasks wait. With the static
  /// scheduler that may be nowhere.
  void groupAccesses(TaskLoop &T, unsigned Tasks);

  /// Makes T.Updates exclusive where another task may come between.
  void protectUpdates(TaskLoop &T);

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  const Options &Opts;

  bool showAllBases();
  void inlineCallees();
  void declareArithmetic();
  void tidy();
  /// Gives bodies that have a variable in one place (BodyVariables.h) one each, but
  /// for inner loops of a marked one.
  void separateBodies();
  bool normalize(TaskLoop &T, Refusal &No);
  CoalesceAnalyses analyses();
};

} // namespace asyncmem

#endif
