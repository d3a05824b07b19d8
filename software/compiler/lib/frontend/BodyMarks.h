// SPDX-License-Identifier: Apache-2.0
// What the first phase adds to the body of a marked loop so that passes keep it as it
// is: starts of its variables' lives, other names for marked pointers, and calls
// behind stores.
//
// Algorithm: a variable that only iterations use starts its life where their bodies begin,
// unless Clang says where. Loads of a marked pointer that stays the same become one result
// of an unknown function in each iteration, until showBases() takes that back. With the
// checker each store gets a call behind it that passes may not merge.
//
//   for (...) x = p[i];   ->   for (...) { q = fresh(p); x = q[i]; }   ->   for (...) x = p[i];

#ifndef ASYNCMEM_BODYMARKS_H
#define ASYNCMEM_BODYMARKS_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class Loop;
} // namespace llvm

namespace asyncmem {

// Clang says where the life of a variable starts and ends, but for some of its
// temporaries (what a call returns or is given by value) and for variables whose
// declaration a jump may pass. Those of a loop body come to life in each iteration,
// so that each task has its own.

/// Starts the lives of variables in memory that only the body of \p L uses, if
/// none of them can be declared outside, that is if it \p May. \p Started are the
/// starts of loops around \p L that this has made; adds those it makes. \returns
/// false if there are such variables and it may not.
bool startBodyVariables(
    llvm::Loop &L, const llvm::DominatorTree &DT, bool May,
    llvm::SmallPtrSetImpl<const llvm::Instruction *> &Started);

/// Marks \p L as one without a mark if nothing in its function or in what the loop
/// calls is marked: the rule for such loops decides (RemotePointers.h).
void markIfUnmarked(llvm::Loop &L);

// Marked pointers that the optimizer takes for other ones in each iteration
// (FreshFunction), from the first phase to the second.

/// Hides from the optimizer that a marked pointer, or any in a loop without a mark, is
/// the same in every iteration of \p L: values must not be carried from one iteration's accesses
/// to the next one's, nor all accesses become one call of memcpy.
void hideBases(llvm::Loop &L);

/// Takes that back in \p F. \returns true if there was something.
bool showBases(llvm::Function &F);

// For the checker: a call behind each store, which passes may not merge with another one, so that a store keeps its place in the
// source where the ends of two paths are alike.

/// Adds the calls where a module has marked loops and the checker is asked for.
struct KeepStorePlacesPass : llvm::PassInfoMixin<KeepStorePlacesPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// \returns true if \p M had such calls, which are gone now.
bool removeStorePlaces(llvm::Module &M);

} // namespace asyncmem

#endif
