// SPDX-License-Identifier: Apache-2.0
// Which remote accesses wait together, as which requests or prefetches: the steps between
// the analyses of a loop and its tasks. How each works stands at the head of its source.

#ifndef ASYNCMEM_REQUESTS_H
#define ASYNCMEM_REQUESTS_H

#include "common/Machine.h"
#include "common/TaskLoop.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
class LoopInfo;
class TargetTransformInfo;
} // namespace llvm

namespace asyncmem {

/// Analyses of the unchanged loop.
struct CoalesceAnalyses {
  llvm::AAResults &AA;
  llvm::AssumptionCache &AC;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
};

// RequestPlan.cpp

/// \returns requests for all of \p Accesses, or nothing if they exceed what one group
/// may hold. One access alone always fits.
std::optional<AccessGroup>
planRequests(llvm::ArrayRef<llvm::Instruction *> Accesses,
             const CoalesceLimits &Limits, const CoalesceAnalyses &Analyses);

// Coalesce.cpp

/// Fills T.Groups, in block order, and T.Moves, by which their accesses come
/// together. Changes nothing in the function.
void planGroups(TaskLoop &T, const CoalesceLimits &Limits,
                const CoalesceAnalyses &Analyses);

/// Carries out T.Moves.
void moveTogether(TaskLoop &T);

/// Marks in T.Groups the stores that need not be waited for, and gives them a place of
/// their own in the slot, as long as that has at most \p MaxSlotBytes.
void carryStores(TaskLoop &T, unsigned MaxSlotBytes);

// RecordRequests.cpp

/// Fills T.Records and lets groups of T.Groups fetch them; groups whose accesses
/// then never wait are removed. Slots have at most \p MaxSlotBytes.
void requestRecords(TaskLoop &T, unsigned MaxSlotBytes,
                    const CoalesceAnalyses &Analyses, llvm::LoopInfo &LI,
                    llvm::BlockFrequencyInfo &Frequencies);

// RowRequests.cpp

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

// StripRequests.cpp

/// Lets groups of T.Groups request strips, where slots of \p Limits have room; the
/// loop stays as it is. Comes after requestRows.
void planStrips(TaskLoop &T, const CoalesceLimits &Limits,
                const CoalesceAnalyses &Analyses, llvm::LoopInfo &LI,
                const llvm::TargetTransformInfo &TTI);

/// Counts, in front of each inner loop with a strip, how often it is repeated.
void countStrips(TaskLoop &T, llvm::ScalarEvolution &SE,
                 const llvm::LoopInfo &LI);

// RepeatCounts.cpp

/// \returns \p S with the phis of \p L in place of its recurrences; null if one of
/// them is no multiple of a phi.
const llvm::SCEV *inTermsOfCounters(const llvm::SCEV *S, const llvm::Loop &L,
                                    llvm::ScalarEvolution &SE);

// NearLines.cpp

/// Takes the accesses that are near out of T.Groups and fills T.Near: with which
/// prefetches. Changes nothing in the function. With no group left, the loop is to
/// stay plain.
void planNear(TaskLoop &T, const Machine &On, unsigned Tasks,
              const CoalesceAnalyses &Analyses, llvm::LoopInfo &LI);

/// Inserts the prefetches of T.Near.
void insertPrefetches(TaskLoop &T);

} // namespace asyncmem

#endif
