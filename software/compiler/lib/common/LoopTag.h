// SPDX-License-Identifier: Apache-2.0
// How a marked loop is known from the first phase to the second: by a tag, or by pins
// where the tag would get lost; and how two loops that LoopSimplify has made of a
// pinned one become one again.
//
// Algorithm: the tag is metadata of the branch that repeats the loop, and goes with that. Pins
// are two calls, which passes keep in their places and do not copy, one
// in front of the loop and one where an iteration begins; the outermost loop that has the
// second and not the first is tagged, and what lies between it and the innermost one joins it.
//
//   pin(0); for (...) { pin(1); ... }   ->   for (...) { ... }   !{"asyncmem", number, tasks}

#ifndef ASYNCMEM_LOOPTAG_H
#define ASYNCMEM_LOOPTAG_H

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/PassManager.h"
#include <map>
#include <optional>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
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

/// Puts one call in front of \p L, before \p Before, and one where an iteration
/// begins: where its condition holds, so that the condition can move.
void pinLoop(llvm::Loop &L, llvm::Instruction *Before, const LoopTagInfo &Tag,
             llvm::DominatorTree &DT, llvm::LoopInfo &LI);

/// Gives the pinned loops of \p F their tags: the outermost loop that has the
/// second call and not the first one. What lies between it and the innermost one
/// becomes part of it where that can be.
void tagPinned(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// \returns true if \p F had pins, which are gone now.
bool removePins(llvm::Function &F);

/// \returns the numbers of the pins in iterations, with a function of \p M that
/// has one.
std::map<unsigned, llvm::Function *> functionsWithPins(llvm::Module &M);

} // namespace asyncmem

#endif
