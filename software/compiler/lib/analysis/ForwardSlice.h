// SPDX-License-Identifier: Apache-2.0
// What an iteration computes from one value.

#ifndef ASYNCMEM_FORWARDSLICE_H
#define ASYNCMEM_FORWARDSLICE_H

#include "loop/TaskLoop.h"

namespace asyncmem {

/// By which way one value may follow from another one.
enum class Flow { Registers, LocalMemory, AnyMemory };

class ForwardSlice {
public:
  ForwardSlice(const TaskLoop &T, const llvm::Instruction &Start);

  /// \returns true if a result of the value may be used after the value was computed
  /// anew in the same iteration, as a phi may keep it.
  bool outlivesNext() const;

  /// \returns true if what \p Write writes, or whether it runs, may follow
  /// from the value in registers, or through such memory.
  bool mayDecide(const llvm::Instruction &Write, Flow Through) const;

  /// \returns true if the value is handed to a later iteration of the inner loop
  /// that begins at \p Header, and there \p User may follow from it, in registers.
  bool mayReachLater(const llvm::Instruction &User,
                     const llvm::BasicBlock &Header) const;

private:
  const TaskLoop &T;
  const llvm::Instruction &Start;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Set;

  bool mayPassMemory(const llvm::Instruction &Write, bool Remote) const;
};

} // namespace asyncmem

#endif
