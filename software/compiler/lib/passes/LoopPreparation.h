// SPDX-License-Identifier: Apache-2.0
// A function with tagged loops, and each such loop, in the form that the analyses expect.
//
// Algorithm: what hid marked pointers from the optimizer goes. Callees that access remote
// memory become part of the loop, until there are none; what they brought is folded. Then
// variables that bodies of copies of a loop share become apart. A loop gets one entry and
// one latch, is rotated, and its end compares the counter with a bound as wide as that.
//
//   while (p) visit(p), p = p->next;   ->   if (p) do { ...; p = p->next; } while (p);

#ifndef ASYNCMEM_LOOPPREPARATION_H
#define ASYNCMEM_LOOPPREPARATION_H

#include "common/Options.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

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

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  const Options &Opts;

  bool showAllBases();
  void inlineCallees();
  void expandCalls();
  void declareArithmetic();
  void tidy();
  /// Gives bodies that have a variable in one place (BodyVariables.h) one each, but
  /// for inner loops of a marked one.
  void separateBodies();
};

} // namespace asyncmem

#endif
