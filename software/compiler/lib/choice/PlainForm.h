// SPDX-License-Identifier: Apache-2.0
// The loop as the program has it, as a function that runs a chunk of it. Tasks whose
// loop was changed for them, and would be slow without them, have it beside them
// instead of a plain copy (NH-G).

#ifndef ASYNCMEM_PLAINFORM_H
#define ASYNCMEM_PLAINFORM_H

#include "choice/LoopState.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace asyncmem {

struct PlainForm {
  llvm::Function *Code;
  /// Of the copy in which the tasks are built; null stands for the record.
  llvm::SmallVector<llvm::Value *, 8> Arguments;
  /// Of the original loop, from which the map leads to the copy.
  LoopState State;
  llvm::ValueToValueMapTy &Map;
};

/// What goes on behind the call of a function that runs a chunk of a loop.
struct ChunkResult {
  /// Iterations are left; the block does not end yet.
  llvm::BasicBlock *Again;
  /// In it: those that ran, and the values that the next one starts with.
  llvm::Value *Iterations;
  llvm::DenseMap<llvm::PHINode *, llvm::Value *> Next;
};

/// Ends the block of \p B, behind such a call with \p Record, with ways to the loop's
/// exits; on these \p Leave sees the iterations that ran. New blocks are in front of
/// \p Before.
ChunkResult
takeChunk(llvm::IRBuilderBase &B, const LoopState &State, llvm::Value *Record,
          llvm::BasicBlock *Before,
          llvm::function_ref<void(llvm::IRBuilderBase &, llvm::Value *)> Leave);

} // namespace asyncmem

#endif
