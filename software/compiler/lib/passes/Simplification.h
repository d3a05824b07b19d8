// SPDX-License-Identifier: Apache-2.0
// LLVM's passes over a function that the second phase has changed.

#ifndef ASYNCMEM_SIMPLIFICATION_H
#define ASYNCMEM_SIMPLIFICATION_H

#include "llvm/IR/PassManager.h"

namespace asyncmem {

/// Joins what the parts of tasks and their scheduler compute twice, and removes
/// what nobody needs. \p F has changed since it was analysed.
void simplifyTasks(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Makes up, in a loop that stays as it is beside its tasks, for what hidden bases
/// and variables kept in place have kept the optimizer from.
void simplifyPlainLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace asyncmem

#endif
