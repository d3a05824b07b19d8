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

#ifndef ASYNCMEM_ROWREQUESTS_H
#define ASYNCMEM_ROWREQUESTS_H

#include "loop/TaskLoop.h"
#include "requests/RequestPlan.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// \returns true if tasks may hand each other data within an iteration: by
/// locks or atomic operations. Then a block must not be kept.
bool synchronizes(const TaskLoop &T);

/// Fills T.Rows and lets groups of T.Groups fetch blocks of them.
void requestRows(TaskLoop &T, const CoalesceAnalyses &Analyses,
                 llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
