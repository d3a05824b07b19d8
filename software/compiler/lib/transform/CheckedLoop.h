// SPDX-License-Identifier: Apache-2.0
// The checker of the promise that iterations do not meet in memory: the loop
// stays plain, and tells the runtime (asyncmem_check.h) what each iteration reads
// and writes.

#ifndef ASYNCMEM_CHECKEDLOOP_H
#define ASYNCMEM_CHECKEDLOOP_H

#include "analysis/CheckedAccesses.h"
#include "transform/CheckedRows.h"

namespace asyncmem {

/// An analysed loop and what its pragma promises.
struct CheckedLoop {
  const TaskLoop &T;
  llvm::DebugLoc Pragma;
  CheckedAccesses Accesses;
};

/// Adds the calls to the first one of \p Loops, the marked one, and to copies of
/// the callees that are left in it. If there is a second one, it is the inner loop
/// that tasks would share, and iterations of it are compared, too. \returns for
/// each how many accesses the program checks; none if the loop writes nothing that
/// iterations could meet in.
llvm::SmallVector<unsigned, 2> checkLoops(llvm::ArrayRef<CheckedLoop> Loops,
                                          const RowAnalyses &Analyses);

} // namespace asyncmem

#endif
