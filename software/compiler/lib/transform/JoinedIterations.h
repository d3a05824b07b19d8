// SPDX-License-Identifier: Apache-2.0
// Several iterations a task, on the AMU: where an iteration reads a few bytes of
// remote arrays in sequence, as many as share a cache line become one. Their
// loads are then one request of that line, their stores one group
// (requests/Coalesce.h), and a switch serves all of them. The iterations that are
// left over run plain, before the first task or after the last.
//
// That their accesses may pass each other is the pragma's promise. It is written
// down as alias scopes: one a joined iteration, which its remote accesses have and
// no access of another one meets.
//
//   for (i) y[i] += x[i];   ->   for (i; i += 8) { y[i] += x[i]; ... y[i + 7] += x[i + 7]; }

#ifndef ASYNCMEM_JOINEDITERATIONS_H
#define ASYNCMEM_JOINEDITERATIONS_H

#include "common/TaskLoop.h"

namespace llvm {
class AssumptionCache;
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
} // namespace llvm

namespace asyncmem {

struct JoinAnalyses {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::AssumptionCache &AC;
  const llvm::TargetTransformInfo &TTI;
};

/// Joins the iterations of \p T, an analysed loop that nothing was changed in. \returns
/// true if it did: the loop is to be analysed anew.
bool joinIterations(TaskLoop &T, const JoinAnalyses &Analyses);

} // namespace asyncmem

#endif
