// SPDX-License-Identifier: Apache-2.0
// What the clauses of a pragma say about variables, carried out before any
// optimisation, while a variable is still an object with loads and stores.
//
// Algorithm: a private variable gets a copy whose life starts in each iteration. Of a shared
// one, simple updates by a commutative operation may be regrouped, and become values; all
// other accesses are kept in place as volatile ones, named by metadata, until the loop has
// been prepared, and are SSA values again where they can be once there are tasks.
//
//   shared_var(m): if (m < x[i]) m = x[i];   ->   load volatile m !inplace; ...

#ifndef ASYNCMEM_CLAUSES_H
#define ASYNCMEM_CLAUSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class DominatorTree;
class Function;
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace asyncmem {

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

} // namespace asyncmem

#endif
