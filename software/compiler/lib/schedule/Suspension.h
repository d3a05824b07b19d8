// SPDX-License-Identifier: Apache-2.0

#ifndef ASYNCMEM_SUSPENSION_H
#define ASYNCMEM_SUSPENSION_H

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace asyncmem {

/// One place where a task waits: \p Before ends with the request, \p After is
/// entered by the scheduler and starts with the data. Until the scheduler is
/// emitted, Before branches to After.
struct Suspension {
  llvm::BasicBlock *Before;
  llvm::BasicBlock *After;
  /// How often it happens, in executions an iteration.
  double Frequency = 1;
};

} // namespace asyncmem

#endif
