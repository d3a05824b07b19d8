// SPDX-License-Identifier: Apache-2.0
// The iterations of a strip (StripRequests.h) that wait for nothing as a loop of
// their own: it runs as often as the strip has iterations left, so that neither
// the strip, nor the rows, nor the end of the inner loop is compared in it. What
// an iteration waits for stays in the loop as it was, which goes on with the
// next iteration in the other one, or begins a strip.

#ifndef ASYNCMEM_STRIPLOOPS_H
#define ASYNCMEM_STRIPLOOPS_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// Gives the inner loop of the strip of \p Group such a loop. A strip begins in
/// \p Fill, and its iterations read from the slot from \p Use on.
/// \returns false if an iteration always waits or does more than compute before
/// \p Use: nothing has changed.
bool separateStripLoop(TaskLoop &T, AccessGroup &Group, llvm::BasicBlock *Fill,
                       llvm::BasicBlock *Use);

} // namespace asyncmem

#endif
