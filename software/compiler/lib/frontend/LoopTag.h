// SPDX-License-Identifier: Apache-2.0
// The tag by which a marked loop is known from the first phase to the second.

#ifndef ASYNCMEM_LOOPTAG_H
#define ASYNCMEM_LOOPTAG_H

#include "llvm/IR/DebugLoc.h"
#include <optional>

namespace llvm {
class Loop;
} // namespace llvm

namespace asyncmem {

struct LoopTagInfo {
  unsigned Id;
  unsigned Tasks;
  /// Clauses of the pragma changed the loop when it was marked.
  bool HasClauses;
  llvm::DebugLoc Pragma;
};

/// Tags \p L and forbids the transformations that would take it apart.
void tagLoop(llvm::Loop &L, const LoopTagInfo &Tag);

std::optional<LoopTagInfo> readTag(const llvm::Loop &L);

/// Gives the loop back to the other passes.
void removeTag(llvm::Loop &L);

} // namespace asyncmem

#endif
