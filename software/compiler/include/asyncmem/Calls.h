// SPDX-License-Identifier: Apache-2.0
// Calls of the functions in Names.h.

#ifndef ASYNCMEM_CALLS_H
#define ASYNCMEM_CALLS_H

#include "asyncmem/Names.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace asyncmem {

/// \returns true if \p I is a direct call of the function \p Name.
inline bool callsFunction(const llvm::Instruction &I, llvm::StringRef Name) {
  auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name;
}

/// \returns true if \p I only says something about a pointer.
inline bool isMark(const llvm::Instruction &I) {
  return callsFunction(I, RemoteFunction) || callsFunction(I, PromisedFunction);
}

} // namespace asyncmem

#endif
