// SPDX-License-Identifier: Apache-2.0

#include "common/Refusal.h"
#include "common/Names.h"
#include "common/Reports.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace asyncmem;

bool asyncmem::refuse(Refusal &No, const Twine &Why, const Instruction *At) {
  No.Why = Why.str();
  No.Where = At ? At->getDebugLoc() : DebugLoc();
  return false;
}

std::string asyncmem::placeInFile(const DILocation *Where,
                                  const DILocation *Pragma) {
  while (Where && Pragma && Where->getFilename() != Pragma->getFilename())
    Where = Where->getInlinedAt();
  if (!Where || !Where->getLine())
    return "";
  std::string Line = " (line " + std::to_string(Where->getLine());
  return Where->getColumn()
             ? Line + ", column " + std::to_string(Where->getColumn()) + ")"
             : Line + ")";
}

void asyncmem::reportSerial(const Function &F, const DebugLoc &Pragma,
                            StringRef Why) {
  std::string Text = ("loop left serial: " + Why).str();
  // Clang prints the name of the pass behind the option, where it takes none.
  F.getContext().diagnose(DiagnosticInfoOptimizationFailure(
                              "", "LoopLeftSerial", Pragma, &F.getEntryBlock())
                          << Text);
  emitRemark(F,
             OptimizationRemarkMissed(PassName, "LoopNotSplit", Pragma,
                                      &F.getEntryBlock())
                 << Text,
             /*Print=*/!warningsAreShown());
}

void asyncmem::reportLateRefusal(const Function &F, const DebugLoc &Pragma,
                                 StringRef Why) {
  F.getContext().diagnose(DiagnosticInfoUnsupported(
      F,
      "this loop was accepted on trial and is refused now: " + Why +
          "; remove its clauses or its pragma and report this as a defect",
      Pragma));
}
