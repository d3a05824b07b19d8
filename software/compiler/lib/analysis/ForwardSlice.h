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

  /// A phi may keep the result when the value is computed anew.
  bool hasPhi() const { return HasPhi; }

  /// \returns true if what \p Write writes, or whether it runs, may follow
  /// from the value in registers, or through such memory.
  bool mayDecide(const llvm::Instruction &Write, Flow Through) const;

  /// \returns true if the value is handed to a later iteration of the inner loop
  /// that begins at \p Header, and there \p User may follow from it, in registers.
  bool mayReachLater(const llvm::Instruction &User,
                     const llvm::BasicBlock &Header) const;

private:
  const TaskLoop &T;
  bool HasPhi = false;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Set;

  bool mayPassMemory(const llvm::Instruction &Write, bool Remote) const;
};

} // namespace asyncmem

#endif
