// SPDX-License-Identifier: Apache-2.0
// A loop that is left after at most so many iterations and goes on later, from
// the values that its next iteration starts with.

#ifndef ASYNCMEM_CHUNKEDLOOP_H
#define ASYNCMEM_CHUNKEDLOOP_H

#include "choice/IterationLimit.h"
#include "llvm/ADT/DenseMap.h"

namespace asyncmem {

class ChunkedLoop {
public:
  /// \p Limit is that of \p T, whose header's phis start with the values \p Now in
  /// the block T.Preheader; \p Budget iterations may run from \p B on.
  ChunkedLoop(TaskLoop &T, IterationLimit &Limit, llvm::IRBuilderBase &B,
              llvm::Value *Budget,
              llvm::function_ref<llvm::Value *(llvm::PHINode *)> Now);

  /// Calls \p Leave for every way out but the end of a chunk, with a block of its
  /// own and the iterations that ran.
  void
  splitExits(llvm::function_ref<void(llvm::BasicBlock *, llvm::Value *)> Leave);

  /// Sends the end of a chunk to \p Next if iterations are left. \returns how
  /// many ran, known in end().
  llvm::Value *finish(llvm::BasicBlock *Next);

  llvm::BasicBlock *end() const { return Limit.chunkEnd(); }
  /// What \p Phi of the header is in the next iteration, known in end().
  llvm::PHINode *after(llvm::PHINode *Phi) const { return After.lookup(Phi); }

private:
  TaskLoop &T;
  IterationLimit &Limit;
  llvm::SmallVector<llvm::PHINode *, 8> Phis;
  llvm::DenseMap<llvm::PHINode *, llvm::PHINode *> After;
};

} // namespace asyncmem

#endif
