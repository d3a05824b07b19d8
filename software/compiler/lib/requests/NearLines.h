// SPDX-License-Identifier: Apache-2.0
// Remote accesses that find their cache line near: prefetching tasks run on
// there instead of switching. Only hints change, never what a loop computes.
//
// Lines: an access before it in the same task, on every path, waited for the
// line; what lies at a known distance is prefetched together with it.
// Streams: addresses that advance evenly. From iteration to iteration, the line
// is prefetched as many iterations ahead as there are tasks. In an inner loop,
// a task waits once for the first lines of its row, in front of the loop.

#ifndef ASYNCMEM_NEARLINES_H
#define ASYNCMEM_NEARLINES_H

#include "common/Options.h"
#include "requests/NearPrefetches.h"
#include "requests/RequestPlan.h"
#include "llvm/IR/DebugLoc.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Accesses without a switch, by reason.
struct NearCounts {
  unsigned Lines = 0;
  unsigned Streams = 0;

  unsigned total() const { return Lines + Streams; }
};

NearCounts countNear(const TaskLoop &T);

/// Takes the accesses that are near out of T.Groups and fills T.Near: with which
/// prefetches. Changes nothing in the function. With no group left, the loop is to
/// stay plain.
void planNear(TaskLoop &T, const Options &Opts, unsigned Tasks,
              const CoalesceAnalyses &Analyses, llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
