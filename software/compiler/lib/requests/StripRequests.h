// SPDX-License-Identifier: Apache-2.0
// Strips: loads of an inner loop whose addresses are known before its iterations
// run, on the AMU.
//
// Where an inner loop surely runs so many iterations, each of which loads from an
// address that follows from counters and elements of rows alone (a[row[e]]), a
// task requests these loads for several iterations as one group, waits once, and
// then runs the iterations with values from its slot. A strip ends where what the
// slot has of the row ends: two blocks if there is room, else one. What an iteration
// stores is compared with the addresses of those that follow: if it meets one, the
// rest is requested anew.
//
//   for (e ...) s += a[row[e]];   ->   request a[row[e]] ... a[row[e + 7]]; wait; 8 sums

#ifndef ASYNCMEM_STRIPREQUESTS_H
#define ASYNCMEM_STRIPREQUESTS_H

#include "common/TaskLoop.h"
#include "requests/RequestPlan.h"

namespace llvm {
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace asyncmem {

/// Lets groups of T.Groups request strips, where slots of \p Limits have room; the
/// loop stays as it is. Comes after requestRows.
void planStrips(TaskLoop &T, const CoalesceLimits &Limits,
                const CoalesceAnalyses &Analyses, llvm::LoopInfo &LI,
                const llvm::TargetTransformInfo &TTI);

/// Counts, in front of each inner loop with a strip, how often it is repeated.
void countStrips(TaskLoop &T, llvm::ScalarEvolution &SE,
                 const llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
