// SPDX-License-Identifier: Apache-2.0
// Uses of a clause's variable by its address become uses of the variable itself, as
// clauses are carried out there.
//
// Algorithm: what may hold the address is followed: parameters, references, closures. Calls
// that get it become part of the function, up to a number; then what only holds the address
// becomes a value. An access of one of two variables becomes a branch with an access of each.
//
//   auto add = [&](int n) { sum += n; }; for (...) add(x[i]);   ->   for (...) sum += x[i];

#ifndef ASYNCMEM_CLAUSEADDRESSES_H
#define ASYNCMEM_CLAUSEADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class AllocaInst;
class Function;
class Loop;
class Value;
} // namespace llvm

namespace asyncmem {

// Variables of clauses that a loop uses by their addresses: those that it hands to a
// function, a reference to them, or that a lambda has captured. Clauses are carried
// out where the loop uses a variable itself.

/// Makes what is called with the address of \p Variable, or with a closure that has
/// it, part of the function, and forgets variables that only hold the address.
/// \returns true if something changed.
bool useDirectly(llvm::AllocaInst &Variable,
                 llvm::FunctionAnalysisManager &FAM);

/// \returns true if \p L may reach \p Variable by an address from outside of it:
/// that stays the variable's where iterations get copies.
bool isReachedFromOutside(llvm::AllocaInst &Variable, const llvm::Loop &L);

// Accesses of one of two variables, as in `(odd ? odds : evens)++`, or by the
// reference that std::min returns.

/// Lets a branch decide whether such an access in \p F is one of \p Variable, so that
/// the variable's own accesses can be told. \returns true if something changed.
bool separateAccesses(llvm::Value &Variable, const llvm::Function &F);

} // namespace asyncmem

#endif
