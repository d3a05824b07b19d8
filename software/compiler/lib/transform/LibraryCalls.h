// SPDX-License-Identifier: Apache-2.0
// Calls of memcmp, memcpy, memchr, strlen, strcmp and strncmp on remote memory, in which no
// task can wait. With the AMU code of our own takes their place, whose accesses become
// requests (LibraryCode.c). Prefetching tasks touch lines of the block, the first and the
// last, or one of a string, and call the function then. A copy to remote memory is always a
// loop.
//
//   memcmp(p, key, n)  ->  touch(p, n); memcmp(p, key, n)    or    the loop of memcmp

#ifndef ASYNCMEM_LIBRARYCALLS_H
#define ASYNCMEM_LIBRARYCALLS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Loop;
} // namespace llvm

namespace asyncmem {

/// Replaces such calls in \p Loops, which are marked; with \p Requests of the AMU.
/// \returns true if there was one: no analysis of \p F holds then.
bool expandLibraryCalls(llvm::Function &F, llvm::ArrayRef<llvm::Loop *> Loops,
                        bool Requests);

} // namespace asyncmem

#endif
