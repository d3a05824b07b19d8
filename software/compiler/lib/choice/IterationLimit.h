// SPDX-License-Identifier: Apache-2.0
// Lets a marked loop run in chunks: after at most so many iterations it is left
// at its latch, and can go on from the values the next iteration starts with.
//
// Algorithm: where the latch compares a counter that grows by a constant with a bound, the
// nearer one of bound and "counter + iterations * step" takes the bound's place, and the
// true bound decides behind the chunk whether the loop has ended. Elsewhere a counter of
// its own goes with the iterations, and the latch asks for both conditions.
//
//   do ... while (++i != n);   ->   end = min(n, i + k); do ... while (++i != end);
//                                   if (i != n) next chunk

#ifndef ASYNCMEM_ITERATIONLIMIT_H
#define ASYNCMEM_ITERATIONLIMIT_H

#include "common/TaskLoop.h"
#include <memory>

namespace asyncmem {

class IterationLimit {
public:
  /// Whether the latch of \p T branches in a way that has a limit.
  static bool isPossible(const TaskLoop &T);
  /// \returns null if that is not so.
  static std::unique_ptr<IterationLimit> create(TaskLoop &T);
  virtual ~IterationLimit() = default;

  /// Changes the latch. \p Budget iterations may run from the place \p B on,
  /// where the header's phis have the values \p Now. The edge out of the loop,
  /// new or not, leads to chunkEnd() then.
  virtual void
  apply(llvm::IRBuilderBase &B, llvm::Value *Budget,
        llvm::function_ref<llvm::Value *(llvm::PHINode *)> Now) = 0;

  /// Ends chunkEnd() with a branch to \p Next, or to lastExit() where the loop
  /// has ended. \p After are the values of the header's phis for the next
  /// iteration. \returns the number of iterations that ran.
  virtual llvm::Value *
  finish(llvm::BasicBlock *Next,
         llvm::function_ref<llvm::Value *(llvm::PHINode *)> After) = 0;

  /// \returns the number of complete iterations when the loop was left over
  /// another edge to \p Exit, a block of that edge alone.
  virtual llvm::Value *iterationsAtExit(llvm::BasicBlock *Exit) = 0;

  /// The phi that counts iterations, if there is one.
  virtual llvm::PHINode *counter() const { return nullptr; }

  llvm::BasicBlock *chunkEnd() const { return ChunkEnd; }
  /// Leads to where the latch left the loop; null if it never did.
  llvm::BasicBlock *lastExit() const { return LastExit; }

protected:
  explicit IterationLimit(TaskLoop &T) : T(T) {}

  TaskLoop &T;
  llvm::BasicBlock *ChunkEnd = nullptr;
  llvm::BasicBlock *LastExit = nullptr;

  /// Makes the two blocks and sends the latch there when it leaves the loop.
  void redirectLatch();
};

} // namespace asyncmem

#endif
