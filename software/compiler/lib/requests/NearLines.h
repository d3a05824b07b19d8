// SPDX-License-Identifier: Apache-2.0
// Remote accesses that find their cache line near: prefetching tasks run on
// there instead of switching. Only hints change, never what a loop computes.
//
// Lines: an access before it in the same task, on every path, waited for the
// line; what lies at a known distance is prefetched together with it.
// Streams: addresses that advance evenly. From iteration to iteration, the line
// is prefetched as many iterations ahead as there are tasks. In an inner loop,
// a task waits once for the first lines of its row, in front of the loop.
//
//   s += p->a; ... t += p->b;   waits at p->a, prefetches the line of p->b there, runs on

#ifndef ASYNCMEM_NEARLINES_H
#define ASYNCMEM_NEARLINES_H

#include "common/Machine.h"
#include "common/TaskLoop.h"
#include "requests/RequestPlan.h"
#include "llvm/IR/DebugLoc.h"

namespace llvm {
class Loop;
class LoopInfo;
class Value;
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
void planNear(TaskLoop &T, const Machine &On, unsigned Tasks,
              const CoalesceAnalyses &Analyses, llvm::LoopInfo &LI);

// Values of a loop's first iteration, computed in front of the loop.

/// \returns true if what \p V is in the first iteration of \p L, which has a
/// preheader, follows from values known there by a few pure operations.
bool isKnownAtEntry(const llvm::Value *V, const llvm::Loop &L);

/// Inserts the prefetches of T.Near.
void insertPrefetches(TaskLoop &T);

} // namespace asyncmem

#endif
