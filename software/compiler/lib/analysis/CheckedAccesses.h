// SPDX-License-Identifier: Apache-2.0
// What the pragma promises of a loop: the accesses that iterations could meet
// in, why they may where they may, and which of them nothing but the promise
// keeps apart.

#ifndef ASYNCMEM_CHECKEDACCESSES_H
#define ASYNCMEM_CHECKEDACCESSES_H

#include "common/Calls.h"
#include "loop/TaskLoop.h"

namespace llvm {
class Function;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// A read or write of memory that other iterations can reach.
struct CheckedAccess {
  llvm::Instruction *I;
  llvm::Value *Pointer;
  /// Null: a string, see there.
  llvm::Value *Bytes;
  bool Writes;
  /// CHECK_... of asyncmem_check.h.
  unsigned Permits = 0;
  unsigned Traits = 0;
  /// Of the word, that an update changes without looking at them.
  uint64_t Bits = 0;
  /// Nothing but the promise keeps it apart from others (reliesOnPromise).
  bool IsPromised = true;
  std::optional<StringRead> String = std::nullopt;
};

using CheckedAccesses = llvm::SmallVector<CheckedAccess, 16>;

/// \returns how many bytes it surely uses.
uint64_t constantBytes(const CheckedAccess &A);

/// \returns the accesses of the analysed loop \p T, in block order.
CheckedAccesses checkedAccesses(const TaskLoop &T, llvm::ScalarEvolution &SE);

/// \returns those of a callee, which runs in one piece; with \p Ordered before
/// the first remote access of the iteration.
CheckedAccesses checkedAccesses(llvm::Function &F, bool Ordered);

/// \returns true if nothing but the promise keeps \p A from meeting one of
/// \p Accesses in another iteration.
bool reliesOnPromise(const CheckedAccess &A,
                     llvm::ArrayRef<CheckedAccess> Accesses, const TaskLoop &T,
                     llvm::ScalarEvolution &SE);

} // namespace asyncmem

#endif
