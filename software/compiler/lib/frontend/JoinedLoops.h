// SPDX-License-Identifier: Apache-2.0
// LoopSimplify takes a loop with several ways back for two nested ones, where
// some of them leave values as they are: a loop that passes over elements, in one
// that works on them. For tasks it is one loop.

#ifndef ASYNCMEM_JOINEDLOOPS_H
#define ASYNCMEM_JOINEDLOOPS_H

namespace llvm {
class Loop;
} // namespace llvm

namespace asyncmem {

/// Makes \p Inner and the loop around it one loop with one latch, if nothing
/// happens between their headers. \returns false if that is not so; else loops
/// and dominators of the function have changed.
bool joinWithOuter(llvm::Loop &Inner);

} // namespace asyncmem

#endif
