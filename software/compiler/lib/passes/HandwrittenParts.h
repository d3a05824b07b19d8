// SPDX-License-Identifier: Apache-2.0
// Which accesses of hand-written C++20 coroutines and state machines move their
// context, and where they go on with another one, as debug locations
// (Blocks.h): the shares of the paper's figure 3.

#ifndef ASYNCMEM_HANDWRITTENPARTS_H
#define ASYNCMEM_HANDWRITTENPARTS_H

#include "llvm/IR/PassManager.h"

namespace asyncmem {

/// Marks, in the functions that resume a coroutine, what loads from its frame or
/// stores to it (what lives across suspensions, and where to go on) as context,
/// and the jump to the next coroutine as scheduler; in all functions, accesses to
/// the records of state machines as context: global variables with the attribute
/// annotate("coroamu.context"). Changes nothing but debug locations, also of what
/// has none there; without debug information it does nothing.
class HandwrittenPartsPass : public llvm::PassInfoMixin<HandwrittenPartsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

  static bool isRequired() { return true; }
};

} // namespace asyncmem

#endif
