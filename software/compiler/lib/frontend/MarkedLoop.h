// SPDX-License-Identifier: Apache-2.0
// Finds the loop that a pragma stands before, right behind the front end.

#ifndef ASYNCMEM_MARKEDLOOP_H
#define ASYNCMEM_MARKEDLOOP_H

#include "frontend/SourceLoops.h"
#include "llvm/IR/DebugLoc.h"

namespace llvm {
class CallInst;
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Number of the pragma that became \p Mark; in the order of the source.
unsigned pragmaOf(const llvm::CallInst *Mark);

SourcePlace placeOf(const llvm::DebugLoc &Loc);

/// \returns the loop the pragma of \p Mark stands before: the first one in
/// program order that the mark dominates, if it starts where the front end saw
/// the loop. A "loop" that never repeats is no loop here; null then.
llvm::Loop *findLoop(llvm::CallInst *Mark, llvm::LoopInfo &LI,
                     llvm::DominatorTree &DT);

/// \returns why there is no such loop.
const char *whyNotFound(llvm::CallInst *Mark, const llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
