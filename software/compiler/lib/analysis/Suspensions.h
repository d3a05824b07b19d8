// SPDX-License-Identifier: Apache-2.0
// Which instructions of an iteration can follow a remote access or a lock of it,
// where its task waits and others run.

#ifndef ASYNCMEM_SUSPENSIONS_H
#define ASYNCMEM_SUSPENSIONS_H

#include "analysis/ForwardSlice.h"
#include "loop/TaskLoop.h"

namespace asyncmem {

class Suspensions {
public:
  explicit Suspensions(const TaskLoop &T);

  /// \returns true if \p I may run after its task was suspended.
  bool mayPrecede(const llvm::Instruction &I) const;

  /// \returns true if \p To, which writes, may use what \p From read before a
  /// suspension.
  bool lieBetween(const llvm::Instruction &From, const llvm::Instruction &To,
                  Flow Through) const;

  /// \returns true if \p To may come behind \p From in one iteration, with a
  /// suspension between.
  bool separate(const llvm::Instruction &From,
                const llvm::Instruction &To) const;

  /// \returns true if it may without one.
  bool join(const llvm::Instruction &From, const llvm::Instruction &To) const;

private:
  const TaskLoop &T;
  /// Blocks that begin after a suspension.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Late;

  /// \returns true if the task may wait at \p I.
  bool suspends(const llvm::Instruction &I) const;
  bool mayUse(const llvm::Instruction &From, const llvm::Instruction &To,
              Flow Through) const;
  bool leads(const llvm::Instruction *From, const llvm::Instruction *To,
             bool Once, bool Over) const;
};

} // namespace asyncmem

#endif
