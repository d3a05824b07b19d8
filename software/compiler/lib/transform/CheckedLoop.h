// SPDX-License-Identifier: Apache-2.0
// The checker of the promise that iterations do not meet in memory: the loop
// stays plain, and tells the runtime (asyncmem_check.h) what each iteration reads
// and writes.

#ifndef ASYNCMEM_CHECKEDLOOP_H
#define ASYNCMEM_CHECKEDLOOP_H

#include "analysis/CheckedAccesses.h"

namespace asyncmem {

/// Adds the calls for \p Accesses to the loop and to copies of the callees that
/// are left in it. \p Pragma: where the loop is in the source. \returns how many
/// accesses the program checks; none if the loop writes nothing that iterations
/// could meet in.
unsigned checkLoop(TaskLoop &T, const CheckedAccesses &Accesses,
                   const llvm::DebugLoc &Pragma);

} // namespace asyncmem

#endif
