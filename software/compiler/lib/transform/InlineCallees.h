// SPDX-License-Identifier: Apache-2.0
// Callees of a marked loop that have to wait, or whose effects must be seen,
// become part of it (section III-F: "most of them are inlined"; recursive ones
// as nested coroutines, see IterativeCallee.h).

#ifndef ASYNCMEM_INLINECALLEES_H
#define ASYNCMEM_INLINECALLEES_H

#include "common/Options.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace asyncmem {

/// Inlines one such call in \p L. \returns false if there is none left; the
/// analyses of the function are out of date after true.
bool inlineCallee(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                  const Options &Opts);

} // namespace asyncmem

#endif
