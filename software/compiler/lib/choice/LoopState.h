// SPDX-License-Identifier: Apache-2.0
// What a loop and the functions that run its iterations as tasks hand each
// other: a record in the frame of the loop's function.

#ifndef ASYNCMEM_LOOPSTATE_H
#define ASYNCMEM_LOOPSTATE_H

#include "loop/TaskLoop.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace asyncmem {

class LoopState {
public:
  /// The way out that was taken: 0 if iterations are left, then the place in
  /// exits(), counted from 1. Iterations that ran, and that may run.
  enum Word { Exit, Iterations, Budget };

  /// Of a loop in the form of analyzeShape.
  explicit LoopState(const TaskLoop &T);

  /// The same record for a copy of the loop. \returns false if the copy has other
  /// values by now than \p Map says.
  bool follow(const TaskLoop &Copy, llvm::ValueToValueMapTy &Map);

  llvm::ArrayRef<llvm::PHINode *> phis() const { return Phis; }
  llvm::ArrayRef<llvm::BasicBlock *> exits() const { return Exits; }

  llvm::AllocaInst *create(llvm::Function &F) const;
  llvm::Value *load(llvm::IRBuilderBase &B, llvm::Value *Record, Word W) const;
  void store(llvm::IRBuilderBase &B, llvm::Value *Record, Word W,
             llvm::Value *V) const;
  /// The value of a phi of the header for the next iteration, or of one of an exit.
  llvm::Value *load(llvm::IRBuilderBase &B, llvm::Value *Record,
                    llvm::PHINode *Phi) const;
  void store(llvm::IRBuilderBase &B, llvm::Value *Record, llvm::PHINode *Phi,
             llvm::Value *V) const;

private:
  llvm::StructType *Layout;
  llvm::SmallVector<llvm::PHINode *, 8> Phis;
  llvm::SmallVector<llvm::BasicBlock *, 2> Exits;
  llvm::DenseMap<llvm::PHINode *, unsigned> Fields;
};

} // namespace asyncmem

#endif
