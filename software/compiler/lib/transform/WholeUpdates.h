// SPDX-License-Identifier: Apache-2.0
// Updates of local memory by a commutative operation that optimisation has
// taken apart: "old = *p; ... new = old op a op b; ... *p = new" with a remote
// access in between would lose what other tasks add to *p meanwhile. Written as
// "sum = a op b; ... *p = *p op sum" they are whole again; or "*p = *p op a; ...
// *p = *p op b", if *p held what each of them reads. In an inner loop that
// updates one place, "old" may also be what the last iteration has written, in a
// register: it is read again. So is behind the loop what its last iteration left.
//
//   old = *p; ... x[i] ...; *p = old + 1;   ->   ... x[i] ...; *p = *p + 1;

#ifndef ASYNCMEM_WHOLEUPDATES_H
#define ASYNCMEM_WHOLEUPDATES_H

#include "common/TaskLoop.h"

namespace llvm {
class AAResults;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Needs the accesses of \p T collected. \returns true if something changed.
bool makeUpdatesWhole(TaskLoop &T, llvm::AAResults &AA,
                      const llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
