// SPDX-License-Identifier: Apache-2.0
// Recursive functions as one function that does not call itself: a nested
// coroutine of the paper's section III-F, ready to be inlined into a task.
//
// Every activation has a level on a stack of equal parts; a part holds the
// variables of the activation that live in memory and, while it waits for a
// callee, the values it still needs and where it goes on. A call raises the
// level and jumps, a return lowers it and jumps back. Behind the last level the
// plain function runs. The stack is a local variable, which follows the task
// like any other; arguments and results are values.
//
//   f(t) { f(t->left); use(t); }   ->   level[n++] = {t, back}; t = t->left; goto entry; back: ...

#ifndef ASYNCMEM_ITERATIVECALLEE_H
#define ASYNCMEM_ITERATIVECALLEE_H

#include "transform/Recursion.h"
#include "llvm/IR/PassManager.h"

namespace asyncmem {

struct IterativeCallee {
  llvm::Function *F;
  unsigned Levels;
  unsigned LevelBytes;
};

/// Makes such a function of \p Group, which checkGroup accepted, for at most
/// \p Levels levels of together \p StackBytes; one level may need more. Who erases
/// the function clears it from \p FAM.
IterativeCallee makeIterative(const RecursiveGroup &Group,
                              llvm::FunctionAnalysisManager &FAM,
                              unsigned Levels, unsigned StackBytes);

} // namespace asyncmem

#endif
