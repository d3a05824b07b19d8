// SPDX-License-Identifier: Apache-2.0
// Variables of clauses that a loop uses by their addresses: those that it hands to a
// function, a reference to them, or that a lambda has captured. Clauses are carried
// out where the loop uses a variable itself.

#ifndef ASYNCMEM_SHAREDADDRESSES_H
#define ASYNCMEM_SHAREDADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class AllocaInst;
class Loop;
} // namespace llvm

namespace asyncmem {

/// Makes what is called with the address of \p Variable, or with a closure that has
/// it, part of the function, and forgets variables that only hold the address.
/// \returns true if something changed.
bool useDirectly(llvm::AllocaInst &Variable,
                 llvm::FunctionAnalysisManager &FAM);

/// \returns true if \p L may reach \p Variable by an address from outside of it:
/// that stays the variable's where iterations get copies.
bool isReachedFromOutside(llvm::AllocaInst &Variable, const llvm::Loop &L);

} // namespace asyncmem

#endif
