// SPDX-License-Identifier: Apache-2.0
// Inlining by LLVM's rules, outside of its inliner.

#ifndef ASYNCMEM_INLINING_H
#define ASYNCMEM_INLINING_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace asyncmem {

/// \returns true if the code of \p Callee means the same in \p Caller, once that
/// has what mergeAttributesForInlining() adds.
bool isInlineCompatible(llvm::Function &Caller, llvm::Function &Callee,
                        llvm::FunctionAnalysisManager &FAM);

/// Makes the callee of \p Call, which is compatible, part of the caller. \returns
/// false if it cannot be.
bool inlineCall(llvm::CallBase &Call);

} // namespace asyncmem

#endif
