// SPDX-License-Identifier: Apache-2.0
// The tag of a loop is metadata on the branch that repeats it, and goes when
// optimisation replaces that branch. Where this happens, two calls mark the
// loop instead: passes keep them, in their places, and make no copies of them.

#ifndef ASYNCMEM_LOOPPINS_H
#define ASYNCMEM_LOOPPINS_H

#include "frontend/LoopTag.h"
#include "llvm/IR/PassManager.h"
#include <map>

namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

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
