// SPDX-License-Identifier: Apache-2.0
// What the clauses of a pragma say about variables, carried out before any
// optimisation, while a variable is still an object with loads and stores.

#ifndef ASYNCMEM_CLAUSES_H
#define ASYNCMEM_CLAUSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace asyncmem {

/// Applies one clause (a ClauseKind) to \p Variable in \p L. \returns null, or
/// why the clause cannot be honoured.
const char *applyClause(unsigned Kind, llvm::Value *Variable, llvm::Loop &L,
                        const llvm::DominatorTree &DT);

/// \returns true if \p I reads or writes a variable whose accesses a clause
/// keeps in place.
bool isInPlace(const llvm::Instruction &I);

/// Ends the protection of the variables kept in place: in \p L they are plain
/// memory again.
void releaseVariables(llvm::Loop &L);

/// Turns the variables that were kept in place into SSA values.
void promoteVariables(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace asyncmem

#endif
