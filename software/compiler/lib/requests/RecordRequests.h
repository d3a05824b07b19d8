// SPDX-License-Identifier: Apache-2.0
// Records: fields that an iteration reads one after the other, on the AMU.
//
// Where a task requests a word and blocks that come later on the same way load
// others near by, at known distances or in an array of known bound, the request
// fetches all of them, and they stay in the slot: no further request, no switch.
// What surely lies in the slot is read there; an element of an array is
// compared with the bytes that are there, when the program runs, and has the
// request of its own if it is none of them.
//
// More is read than the program reads there: only up to words that the iteration
// surely reads later, or inside the page, compared when the program runs. In
// between the iteration stores nothing into the record; of other iterations the
// pragma promises that they do not write what this one reads.
//
//   if (p->key == k) s += p->value;   one request of 16 bytes at p, p->value from the slot

#ifndef ASYNCMEM_RECORDREQUESTS_H
#define ASYNCMEM_RECORDREQUESTS_H

#include "common/TaskLoop.h"
#include "requests/RequestPlan.h"

namespace llvm {
class BlockFrequencyInfo;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Fills T.Records and lets groups of T.Groups fetch them; groups whose accesses
/// then never wait are removed. Slots have at most \p MaxSlotBytes.
void requestRecords(TaskLoop &T, unsigned MaxSlotBytes,
                    const CoalesceAnalyses &Analyses, llvm::LoopInfo &LI,
                    llvm::BlockFrequencyInfo &Frequencies);

} // namespace asyncmem

#endif
