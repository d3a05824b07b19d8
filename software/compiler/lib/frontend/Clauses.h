// SPDX-License-Identifier: Apache-2.0
// What the clauses of a pragma say about variables, and what the first phase adds to the body
// of a marked loop. How each works stands at the head of its source.

#ifndef ASYNCMEM_CLAUSES_H
#define ASYNCMEM_CLAUSES_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class AllocaInst;
class DominatorTree;
class Loop;
} // namespace llvm

namespace asyncmem {

// Clauses.cpp

/// Applies one clause (a ClauseKind) of the pragma \p Id to \p Variable in its
/// loop, \p L. \returns null, or why the clause cannot be honoured.
const char *applyClause(unsigned Kind, llvm::Value *Variable, unsigned Id,
                        llvm::Loop &L, const llvm::DominatorTree &DT);

/// \returns the first block of an iteration, behind the condition of a for or
/// while loop, which rotation copies.
llvm::BasicBlock *startOfBody(const llvm::Loop &L);

/// Starts the life of \p Variable in each iteration, with the value of
/// \p Initial if there is one. \returns where it starts.
llvm::Instruction *startLife(llvm::AllocaInst *Variable,
                             llvm::AllocaInst *Initial, llvm::Loop &L);

/// Takes accesses of \p F apart that passes have joined: each is of one variable kept
/// in place, or of none. \returns true if there were any.
bool separateVariables(llvm::Function &F);

/// Ends the protection of the variables kept in place: in \p L, the loop of the
/// pragma \p Id, they are plain memory again.
void releaseVariables(llvm::Loop &L, unsigned Id);

/// Turns the variables that were kept in place into SSA values.
void promoteVariables(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

// ClauseAddresses.cpp

/// Makes what is called with the address of \p Variable, or with a closure that has
/// it, part of the function, and forgets variables that only hold the address.
/// \returns true if something changed.
bool useDirectly(llvm::AllocaInst &Variable,
                 llvm::FunctionAnalysisManager &FAM);

/// \returns true if \p L may reach \p Variable by an address from outside of it:
/// that stays the variable's where iterations get copies.
bool isReachedFromOutside(llvm::AllocaInst &Variable, const llvm::Loop &L);

/// Lets a branch decide whether an access in \p F of one of two variables, as in
/// `(odd ? odds : evens)++`, is one of \p Variable, so that the variable's own accesses
/// can be told. \returns true if something changed.
bool separateAccesses(llvm::Value &Variable, const llvm::Function &F);

// BodyMarks.cpp

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

/// Hides from the optimizer that a marked pointer, or any in a loop without a mark, is
/// the same in every iteration of \p L: values must not be carried from one iteration's accesses
/// to the next one's, nor all accesses become one call of memcpy.
void hideBases(llvm::Loop &L);

/// Takes that back in \p F. \returns true if there was something.
bool showBases(llvm::Function &F);

/// For the checker: adds a call behind each store, which passes may not merge with another
/// one, so that a store keeps its place in the source where the ends of two paths are alike.
struct KeepStorePlacesPass : llvm::PassInfoMixin<KeepStorePlacesPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// \returns true if \p M had such calls, which are gone now.
bool removeStorePlaces(llvm::Module &M);

} // namespace asyncmem

#endif
