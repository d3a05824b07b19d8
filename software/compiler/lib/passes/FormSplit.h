// SPDX-License-Identifier: Apache-2.0
// A marked loop that stays as it is, and functions beside it that run its
// iterations in other forms, chosen at run time (FormChoice.h).

#ifndef ASYNCMEM_FORMSPLIT_H
#define ASYNCMEM_FORMSPLIT_H

#include "common/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace asyncmem {

struct FormRequest {
  unsigned Tasks;
  uint64_t TurnCycles;
  llvm::DebugLoc Pragma;
};

struct SplitForms {
  /// None if the loop cannot be split or there is nothing to wait for, and nothing has
  /// changed.
  llvm::SmallVector<llvm::Function *, 4> Functions;
  /// What the policy remembers of the loop.
  llvm::GlobalVariable *Choice = nullptr;
};

/// Splits \p L, in canonical form, and reports it. \p IsAsked as in addFormChoice.
SplitForms splitIntoForms(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                          const Options &Opts, const FormRequest &Wanted,
                          bool IsAsked);

} // namespace asyncmem

#endif
