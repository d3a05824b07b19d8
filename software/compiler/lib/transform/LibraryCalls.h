// SPDX-License-Identifier: Apache-2.0
// Calls of memcmp, memcpy, memchr, strlen, strcmp and the like on remote memory: no task
// can wait in them.
//
// With the AMU, code of our own takes their place, whose accesses become requests
// (LibraryCode.c). Prefetching tasks touch the block's lines, eight and the last one, or
// the first line of a string, and call the function then, which reads the rest where it
// is. A copy to remote memory is a loop for both.
//
//   memcmp(p, key, n)  ->  touch(p, n); memcmp(p, key, n)    or    the loop of memcmp
//
// Comparisons of a constant length, a line at most, are AccessPieces' matter. Code that a
// sanitizer looks at reads no bytes around a block.

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
