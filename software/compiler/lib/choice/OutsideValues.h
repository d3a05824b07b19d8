// SPDX-License-Identifier: Apache-2.0
// Values that a loop reads from in front of it: each lives in a register, and across all
// that is around the loop, too.

#ifndef ASYNCMEM_OUTSIDEVALUES_H
#define ASYNCMEM_OUTSIDEVALUES_H

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// Values from outside, and other values of a loop, that leave it enough of the 32
/// registers: a plain one for itself, tasks for their handlers, the scheduler and the
/// end of the loop.
constexpr unsigned FewRegisters = 12;

class OutsideValues {
public:
  /// Of the loop of \p Blocks.
  explicit OutsideValues(llvm::ArrayRef<llvm::BasicBlock *> Blocks);

  unsigned size() const { return Uses.size(); }

  /// Gives the loop registers of its own for them, with values from \p B on; what it
  /// computes of them stays with it, and how they came about is not known to it: strength
  /// reduction does not count down to a limit beside what the loop counts.
  void keepApart(llvm::IRBuilderBase &B);

private:
  llvm::MapVector<llvm::Value *, llvm::SmallVector<llvm::Use *, 4>> Uses;
};

/// On NH-G, readies registers at \p B for a plain loop of \p Blocks with \p Variables that
/// change in it, in code that has other uses for them.
void readyForPlain(llvm::IRBuilderBase &B,
                   llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                   unsigned Variables);

} // namespace asyncmem

#endif
