// SPDX-License-Identifier: Apache-2.0
// Classes of the values one iteration hands to the next (section III-B).
//
// Sequential: the next value and the end condition follow from sequential
// values alone, by pure operations; they are computed before a task starts.
// Shared: the value is only updated by one commutative operation; tasks update
// it in place, in any order. Everything else that lives in the body is private
// to its task. A carried value that is neither is a reason to refuse.
//
// Algorithm: all are taken for sequential, and those dropped, one after the other, whose
// straight-line slice fails. Of these the ones are shared whose uses lead over updates
// by one operation back to the phi, with one version at a time. The rest is tried as
// sequential again, now with control flow and remote loads, which launch makes then.
//
//   while (p) { sum += p->v; p = p->next; }   p is sequential, sum is shared

#ifndef ASYNCMEM_CLASSIFY_H
#define ASYNCMEM_CLASSIFY_H

#include "common/Reports.h"
#include "common/TaskLoop.h"
#include <optional>

namespace llvm {
class AAResults;
} // namespace llvm

namespace asyncmem {

/// Fills in the classes and the slice that computes sequential values; needs the
/// accesses collected. \returns false with \p No set if the loop cannot be
/// transformed.
bool classifyCarriedValues(TaskLoop &T, llvm::AAResults &AA, Refusal &No);

/// \returns the value of \p Phi if it would be shared but for an iteration that needs
/// several versions of it at a time.
std::optional<SharedUpdate> findManyVersions(const TaskLoop &T,
                                             llvm::PHINode *Phi);

} // namespace asyncmem

#endif
