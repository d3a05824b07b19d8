// SPDX-License-Identifier: Apache-2.0
// Whether tasks may share an inner loop of a marked one, which has a pragma of its
// own: its iterations are looked at as those of a marked loop are.

#ifndef ASYNCMEM_NESTEDLOOPS_H
#define ASYNCMEM_NESTEDLOOPS_H

#include "common/Refusal.h"
#include "loop/TaskLoop.h"

namespace llvm {
class AAResults;
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace asyncmem {

/// Fewer iterations are never shared.
inline constexpr unsigned LeastShared = 32;

struct NestedAnalyses {
  llvm::AAResults &AA;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const llvm::TargetTransformInfo &TTI;
};

/// \returns true if tasks may share the iterations of the loop of \p Inner, which
/// is analysed as if it were the marked one: then T.Nested is set, and T.Updates
/// has those, too, in which its iterations may meet. Else \p No says why not.
bool findNestedLoop(TaskLoop &T, TaskLoop &Inner,
                    const NestedAnalyses &Analyses, Refusal &No);

} // namespace asyncmem

#endif
