// SPDX-License-Identifier: Apache-2.0
// What becomes part of a marked loop.
//
// 1. Callees that have to wait, or whose effects must be seen (section III-F: "most of
//    them are inlined"; recursive ones as nested coroutines, see IterativeCallee.h).
// 2. Exits at which the program ends: abort, a failed assertion, a check of the
//    undefined behaviour sanitizer, a place that cannot be reached.
//
//   if (!x) abort();  ->  if (!x) abort(), then go on with the iteration

#ifndef ASYNCMEM_LOOPPARTS_H
#define ASYNCMEM_LOOPPARTS_H

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

/// Makes fatal exits a part of the iteration: what follows them, never run, is
/// a way on through \p L, so that they decide about no other iteration.
/// \returns true if the control flow changed.
bool keepFatalExits(llvm::Loop &L);

} // namespace asyncmem

#endif
