// SPDX-License-Identifier: Apache-2.0
// Callees that would run tasks of their own while the tasks of a loop wait: the AMU
// serves one loop at a time.
//
// Algorithm: what a call can reach is collected: its callee, what that calls, and of a
// call through a pointer every function whose address is taken. If one of them has a
// tagged or pinned loop, or an AMI instruction, the call may run tasks.
//
//   void f() { #pragma asyncmem ... }   for (i) f();   f() may run tasks

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
