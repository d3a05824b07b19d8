// SPDX-License-Identifier: Apache-2.0
// The checker of promises: the loop stays plain, and tells the runtime
// (asyncmem_check.h) what each iteration reads and writes.
//
// 1. Collect the accesses of the loop that other iterations can reach; what each
//    of them may meet there (CHECK_ORDERED, CHECK_OWNED, ...).
// 2. Keep those that nothing but the promise keeps apart from others.
// 3. What is a row of a loop, one step on in each iteration, is told in front of
//    it, at once; all else is told access by access.
// 4. Callees are copied, and their copies tell of their accesses.
//
//   for (i) y[k[i]] = x[i];   x and k are rows, read; y is told at each store

#ifndef ASYNCMEM_CHECKER_H
#define ASYNCMEM_CHECKER_H

#include "common/Instructions.h"
#include "common/TaskLoop.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
class SCEVExpander;
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
  /// Nothing but the promise keeps it apart from others.
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

/// An analysed loop and what its pragma promises.
struct CheckedLoop {
  const TaskLoop &T;
  llvm::DebugLoc Pragma;
  CheckedAccesses Accesses;
};

/// \returns true if a write of \p Accesses that follows \p Read at once stands
/// for it.
bool isCovered(const CheckedAccess &Read,
               llvm::ArrayRef<CheckedAccess> Accesses);

struct CheckAnalyses {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
};

/// What an access reaches in the iterations of \p L.
struct CheckedRow {
  llvm::Loop *L;
  const llvm::SCEV *Start, *Step, *Repeats;
};

/// \returns the row of \p A, if each iteration of a loop, \p Own or one inside it,
/// surely uses its next place, and it is known in front of the loop how many there
/// are.
std::optional<CheckedRow> rowOf(const CheckedAccess &A, const llvm::Loop &Own,
                                const CheckAnalyses &Analyses,
                                llvm::SCEVExpander &Expander);

/// Adds the calls to \p Loop, and to copies of the callees that are left in it.
/// \returns how many accesses the program checks; 0 if the loop relies on no promise
/// and calls nothing.
unsigned checkLoop(const CheckedLoop &Loop, const CheckAnalyses &Analyses);

} // namespace asyncmem

#endif
