// SPDX-License-Identifier: Apache-2.0
// Counting of switches, context operations and changes of the number of live
// tasks in the compiled program.

#ifndef ASYNCMEM_CONTEXTCOUNTERS_H
#define ASYNCMEM_CONTEXTCOUNTERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace asyncmem {

/// Lets every block of \p F add to each counter (Names.h) the number of its
/// instructions with the counter's tag, and takes the tags off.
void addContextCounters(llvm::Function &F);

} // namespace asyncmem

#endif
