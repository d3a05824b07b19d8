// SPDX-License-Identifier: Apache-2.0
// Remarks to the user.

#ifndef ASYNCMEM_REPORTS_H
#define ASYNCMEM_REPORTS_H

#include "llvm/IR/DiagnosticInfo.h"

namespace asyncmem {

/// Starts the reports of a translation unit. \p WarningsShown: the user sees
/// the warnings of -Wpass-failed.
void beginReports(bool WarningsShown);

/// \returns true if what a warning says need not be printed as a remark, too.
bool warningsAreShown();

/// \returns true if somebody reads the remarks on \p F.
bool wantsRemarks(const llvm::Function &F);

/// Puts \p Remark into the optimisation record; prints it, if \p Print is set
/// and another copy of the code has not said the same of the same place.
void emitRemark(const llvm::Function &F,
                const llvm::DiagnosticInfoOptimizationBase &Remark,
                bool Print = true);

/// Emits the remark that \p Make returns, if it is wanted.
template <typename Maker>
void reportRemark(const llvm::Function &F, Maker Make) {
  if (wantsRemarks(F))
    emitRemark(F, Make());
}

} // namespace asyncmem

#endif
