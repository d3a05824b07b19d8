// SPDX-License-Identifier: Apache-2.0
// The transformation of one analysed loop; it cannot fail.
//
// Algorithm: Init, Launch (a copy of the slice that controls the loop), Return and Finalize
// come around the body (Launch.h). Shared values become variables, updated in one step.
// Strips and rows get their code, then the body is cut at locks and at each group. The
// values that live across a cut get places in the frame, and the scheduler fills its blocks.
//
//   for (...) s += x[i];   ->   launch: i = n++; request; schedule: ...; resume: s += slot

#ifndef ASYNCMEM_TASKBUILDER_H
#define ASYNCMEM_TASKBUILDER_H

#include "common/Options.h"
#include "common/TaskLoop.h"

namespace asyncmem {

/// What was built, for the remark.
struct TaskStatistics {
  unsigned Tasks = 0;
  unsigned Suspensions = 0;
  /// Requests issued at these suspensions, and the accesses they serve.
  unsigned Requests = 0;
  unsigned Accesses = 0;
  /// Accesses that wait together with another one.
  unsigned Coalesced = 0;
  unsigned FrameBytes = 0;
  unsigned PrivateValues = 0;
  /// The program chooses between these tasks and the plain loop.
  bool Adapts = false;
};

/// Behind it \p FAM has forgotten T.L and all else of the loop.
TaskStatistics buildTasks(TaskLoop &T, llvm::FunctionAnalysisManager &FAM,
                          const Options &Opts, unsigned Tasks);

} // namespace asyncmem

#endif
