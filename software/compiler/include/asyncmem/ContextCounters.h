// SPDX-License-Identifier: Apache-2.0
// Counting of switches and context operations in the compiled program.

#ifndef ASYNCMEM_CONTEXTCOUNTERS_H
#define ASYNCMEM_CONTEXTCOUNTERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace asyncmem {

/// Adds to every block of \p F that moves task context the number of its loads
/// and stores of context, and to every block that is resumed one switch.
void addContextCounters(llvm::Function &F);

} // namespace asyncmem

#endif
