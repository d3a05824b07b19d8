// SPDX-License-Identifier: Apache-2.0
// The passes and their places, in Clang's pipeline and by name.

#ifndef ASYNCMEM_REGISTRATION_H
#define ASYNCMEM_REGISTRATION_H

#include "passes/Trial.h"

namespace asyncmem {

/// Puts the two phases into the pipelines that \p PB builds, for a compilation like
/// \p Like.
void addToPipeline(llvm::PassBuilder &PB, const Compilation &Like = {});

/// Lets -passes= name each pass alone (software/compiler/README.md).
void registerPassNames(llvm::PassBuilder &PB);

} // namespace asyncmem

#endif
