// SPDX-License-Identifier: Apache-2.0
// Webs: SSA values that share one place in the frame. The values a phi joins
// are one variable of the program; kept in one slot, the variable is saved when
// it changes and not when it is merely handed on.

#ifndef ASYNCMEM_WEB_H
#define ASYNCMEM_WEB_H

#include "analysis/IterationGraph.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

namespace asyncmem {

/// A variable of the frame. A member that is a phi takes its value by copies at
/// the ends of its predecessors, except where the incoming value is a member.
struct Web {
  llvm::SmallSetVector<llvm::Instruction *, 4> Members;

  bool contains(const llvm::Value *V) const {
    auto *I = llvm::dyn_cast<llvm::Instruction>(V);
    return I && Members.contains(const_cast<llvm::Instruction *>(I));
  }
  llvm::Type *type() const { return Members.front()->getType(); }
};

/// Joins each of \p Values with the phis and values it is connected to over
/// phis of \p Blocks, as long as no two members are needed at one time.
llvm::SmallVector<Web, 8> buildWebs(llvm::ArrayRef<llvm::Instruction *> Values,
                                    llvm::ArrayRef<llvm::BasicBlock *> Blocks);

} // namespace asyncmem

#endif
