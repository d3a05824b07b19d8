// SPDX-License-Identifier: Apache-2.0
// Values that an iteration of an inner loop changes or keeps.

#ifndef ASYNCMEM_KEPTVALUES_H
#define ASYNCMEM_KEPTVALUES_H

#include "loop/TaskLoop.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Fills T.KeptValues: where tasks wait in an inner loop, a variable of it keeps
/// its value or gets a new one by a select. Not where the target selects without
/// a branch.
void findKeptValues(TaskLoop &T, const llvm::LoopInfo &LI);

/// Makes branches of them: what is kept need not be saved again.
void branchToKeptValues(TaskLoop &T);

} // namespace asyncmem

#endif
