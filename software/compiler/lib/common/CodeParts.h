// SPDX-License-Identifier: Apache-2.0
// Which generated code is scheduler and which moves task context, as debug
// locations: the line table then says it of the machine code, wherever its
// blocks go.

#ifndef ASYNCMEM_CODEPARTS_H
#define ASYNCMEM_CODEPARTS_H

#include "llvm/IR/DebugLoc.h"

namespace llvm {
class Function;
} // namespace llvm

namespace asyncmem {

/// One location for each part, inlined where the loop is, in an artificial
/// function and file of the part's name. None without debug information.
struct CodeParts {
  /// Starts, polls, dispatches, replaces and ends tasks.
  llvm::DebugLoc Scheduler;
  /// Saves and reloads what lives across a suspension.
  llvm::DebugLoc Context;

  CodeParts(llvm::Function &F, const llvm::DebugLoc &Loop);
};

} // namespace asyncmem

#endif
