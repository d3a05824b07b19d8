// SPDX-License-Identifier: Apache-2.0
// For the checker: a call behind each store, which passes may not merge with another one, so that a store keeps its place in the
// source where the ends of two paths are alike.

#ifndef ASYNCMEM_STOREPLACES_H
#define ASYNCMEM_STOREPLACES_H

#include "llvm/IR/PassManager.h"

namespace asyncmem {

/// Adds the calls where a module has marked loops and the checker is asked for.
struct KeepStorePlacesPass : llvm::PassInfoMixin<KeepStorePlacesPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// \returns true if \p M had such calls, which are gone now.
bool removeStorePlaces(llvm::Module &M);

} // namespace asyncmem

#endif
