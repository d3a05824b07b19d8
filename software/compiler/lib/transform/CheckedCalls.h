// SPDX-License-Identifier: Apache-2.0
// Which calls of the checker stand for the single accesses of a loop: one for an
// access that both levels watch, one for two accesses side by side, none for a
// read that a write of the same place follows at once.

#ifndef ASYNCMEM_CHECKEDCALLS_H
#define ASYNCMEM_CHECKEDCALLS_H

#include "analysis/CheckedAccesses.h"

namespace asyncmem {

struct WatchedAccess {
  /// 0: of the marked loop, 1: of that inside it.
  unsigned Level;
  const CheckedAccess *A;
};

/// A call for one access, of each level that watches it, and for the one behind it
/// in memory if that is not empty.
struct WatchedCall {
  explicit WatchedCall(WatchedAccess W) : At(W.A), Of{W} {}

  /// Which of both comes first.
  const CheckedAccess *At;
  llvm::SmallVector<WatchedAccess, 2> Of, Behind;

  bool tellsBefore() const { return At != Of.front().A; }
};

/// \returns true if the runtime has functions for so many bytes.
bool isShort(const CheckedAccess &A);

/// \returns true if a write of \p Accesses that follows \p Read at once stands
/// for it.
bool isCovered(const CheckedAccess &Read,
               llvm::ArrayRef<CheckedAccess> Accesses);

/// \returns the calls for \p Watched, which are in the order of the levels.
llvm::SmallVector<WatchedCall, 16>
joinedCalls(llvm::ArrayRef<WatchedAccess> Watched, const llvm::DataLayout &DL);

} // namespace asyncmem

#endif
