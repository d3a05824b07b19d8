// SPDX-License-Identifier: Apache-2.0
// Callees that would run tasks of their own while the tasks of a loop wait: the AMU
// serves one loop at a time.

#ifndef ASYNCMEM_NESTEDTASKS_H
#define ASYNCMEM_NESTEDTASKS_H

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace asyncmem {

/// \returns true if \p F, or what it calls in its module, uses the AMU, or has a
/// loop that may become tasks.
bool mayRunTasks(const llvm::Function &F);

/// The same of what \p Call calls: through a pointer any function whose address
/// is taken.
bool mayRunTasks(const llvm::CallBase &Call);

} // namespace asyncmem

#endif
