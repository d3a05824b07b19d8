// SPDX-License-Identifier: Apache-2.0
// Rows: loads of an inner loop that lie in sequence, on the AMU.
//
// Instead of an element, a task requests the block of memory around it and
// keeps that in its slot. A load of an element in the same block finds it
// there: no request, no switch. Whether it is the same block is compared when
// the program runs, so nothing relies on the order of the addresses; what an
// iteration itself stores into its block is compared, too, and lets it be
// fetched anew. Of other iterations the pragma promises that they do not write
// what this one reads, from the request on.
//
//   for (k ...) s += x[k];   ->   if (x[k] is in no block of the slot) request 64 bytes; wait; ...

#ifndef ASYNCMEM_ROWREQUESTS_H
#define ASYNCMEM_ROWREQUESTS_H

#include "common/TaskLoop.h"
#include "requests/RequestPlan.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class AAResults;
class BasicBlock;
class LoadInst;
class LoopInfo;
class StoreInst;
} // namespace llvm

namespace asyncmem {

/// Adds to \p Found the stores of \p Blocks that may write what \p Load reads, in
/// any iteration of a loop around it. \returns false if something else may, whose
/// address cannot be compared.
bool findStores(const llvm::LoadInst &Load,
                llvm::ArrayRef<llvm::BasicBlock *> Blocks, llvm::AAResults &AA,
                llvm::SmallSetVector<llvm::StoreInst *, 2> &Found);

/// \returns true if tasks may hand each other data within an iteration: by
/// locks or atomic operations. Then a block must not be kept.
bool synchronizes(const TaskLoop &T);

/// Fills T.Rows and lets groups of T.Groups fetch blocks of them.
void requestRows(TaskLoop &T, const CoalesceAnalyses &Analyses,
                 llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
