// SPDX-License-Identifier: Apache-2.0
// Accesses of one of two variables, as in `(odd ? odds : evens)++`, or by the
// reference that std::min returns.

#ifndef ASYNCMEM_JOINEDADDRESSES_H
#define ASYNCMEM_JOINEDADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace asyncmem {

/// Lets a branch decide whether such an access in \p F is one of \p Variable, so that
/// the variable's own accesses can be told. \returns true if something changed.
bool separateAccesses(llvm::Value &Variable, const llvm::Function &F);

} // namespace asyncmem

#endif
