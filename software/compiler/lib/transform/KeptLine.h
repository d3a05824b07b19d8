// SPDX-License-Identifier: Apache-2.0
// A line that a task keeps, on the AMU: where an inner loop updates remote words
// of which a clause says that no two iterations update them (distinct_update),
// such as the counters of one bucket, a task that meets the same line twice in a
// row loads it into a variable of its own. While its updates lie in that line they
// wait for nothing. The words it changed are stored when it takes another line,
// and at the end of its iteration.
//
// In front of everything else in the iteration that may reach these words, that
// is compared and the words are stored, so the iteration sees its own order. Of
// other iterations the clause says that they do not update them, and the pragma
// that they do not read them.
//
//   ++counts[key[k]]   ->   if (line(&counts[key[k]]) == known) ++kept[...]; else { store what changed; load the line; ... }

#ifndef ASYNCMEM_KEPTLINE_H
#define ASYNCMEM_KEPTLINE_H

#include "common/TaskLoop.h"
#include "llvm/IR/PassManager.h"

namespace asyncmem {

/// Lets tasks keep the line of one update of \p T, an analysed loop that nothing was
/// changed in. \returns true if it did: \p FAM has forgotten the function, T.L with
/// it, and what it has learnt since holds.
bool keepLine(TaskLoop &T, llvm::FunctionAnalysisManager &FAM);

} // namespace asyncmem

#endif
