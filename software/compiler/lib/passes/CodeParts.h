// SPDX-License-Identifier: Apache-2.0
// What is done with the code once tasks are there: it is tidied, counts context
// operations if asked for, and the line table says what of it moves context, in
// hand-written coroutines and state machines, too.
//
// Algorithm: schedulers and frames have put metadata on what counts; each block adds the sum
// of its own to the counter. In a resumed coroutine, what loads from its frame or stores
// there gets the debug location of context, as do accesses to variables that are annotated as
// state of a machine.
//
//   store %i, %frame, !asyncmem.context   ->   store %i, %frame; __asyncmem_context_ops += 1

#ifndef ASYNCMEM_CODEPARTS_H
#define ASYNCMEM_CODEPARTS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
} // namespace llvm

namespace asyncmem {

// Counting of switches, context operations and changes of the number of live
// tasks in the compiled program.

/// Lets every block of \p F add to each counter (Names.h) the number of its
/// instructions with the counter's tag, and takes the tags off.
void addContextCounters(llvm::Function &F);

// Which accesses of hand-written C++20 coroutines and state machines move their
// context, and where they go on with another one, as debug locations
// (Blocks.h): the shares of the paper's figure 3.

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

// LLVM's passes over a function that the second phase has changed.

/// Joins what the parts of tasks and their scheduler compute twice, and removes
/// what nobody needs. \p F has changed since it was analysed.
void simplifyTasks(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Makes up, in a loop that stays as it is beside its tasks, for what hidden bases
/// and variables kept in place have kept the optimizer from.
void simplifyPlainLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace asyncmem

#endif
