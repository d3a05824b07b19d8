// SPDX-License-Identifier: Apache-2.0
// An inner loop of a marked one whose iterations may be run by several tasks.

#ifndef ASYNCMEM_NESTEDLOOP_H
#define ASYNCMEM_NESTEDLOOP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/ValueHandle.h"

namespace asyncmem {

/// A value that all iterations update by one commutative operation, and that is
/// used behind the loop.
struct NestedReduction {
  llvm::PHINode *Phi;
  /// The operation: an opcode, or, if that is 0, an intrinsic.
  unsigned Opcode;
  llvm::Intrinsic::ID Intrinsic;
  /// What changes nothing.
  llvm::Constant *Identity;
  llvm::SmallVector<llvm::Instruction *, 4> Updates;
};

/// The loop runs the iterations from Begin to End, which two calls of
/// RangeFunction stand for until there are tasks; they follow each other in
/// front of the loop, in a block of its own (NestedRanges.h).
struct NestedLoop {
  llvm::DebugLoc Pragma;
  llvm::BasicBlock *Header;
  llvm::SmallVector<NestedReduction, 2> Reductions;
  llvm::CallInst *Begin = nullptr, *End = nullptr;
};

} // namespace asyncmem

#endif
