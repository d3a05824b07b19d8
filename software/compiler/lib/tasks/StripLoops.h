// SPDX-License-Identifier: Apache-2.0
// The iterations of a strip (StripRequests.h) that wait for nothing as a loop of
// their own: it runs as often as the strip has iterations left, so that neither
// the strip, nor the rows, nor the end of the inner loop is compared in it.
//
// 1. The blocks of an iteration that waits for nothing are copied.
// 2. The copies are entered where a strip begins, and left at its end.
// 3. What an iteration waits for stays in the loop as it was, which goes on with the
//    next iteration in the other one, or begins a strip.
//
//   while (...) { if (!left) request 8; use }  ->  while (...) { request 8; do use; while (--left) }

#ifndef ASYNCMEM_STRIPLOOPS_H
#define ASYNCMEM_STRIPLOOPS_H

#include "common/Blocks.h"
#include "common/TaskLoop.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace asyncmem {

class LoopCopy {
public:
  LoopCopy(const LoopCopy &) = delete;
  LoopCopy &operator=(const LoopCopy &) = delete;

protected:
  using Blocks = BlockSet<llvm::BasicBlock>;

  LoopCopy(TaskLoop &T, llvm::BasicBlock *Header)
      : T(T), F(*Header->getParent()), Header(Header) {}
  ~LoopCopy() = default;

  TaskLoop &T;
  llvm::Function &F;
  llvm::BasicBlock *Header;
  /// The blocks of an iteration that waits for nothing.
  Blocks Quick;
  /// In front of the second loop, and its first block.
  llvm::BasicBlock *Entry = nullptr, *Begin = nullptr;
  llvm::SmallVector<llvm::BasicBlock *, 16> Copies;
  llvm::ValueToValueMapTy Copy;
  /// The values of the header's phis at Entry.
  llvm::DenseMap<llvm::PHINode *, llvm::PHINode *> AtEntry;

  bool waits(const llvm::BasicBlock *BB) const;

  /// \returns the blocks that an iteration may run from \p From on without a wait,
  /// not beyond Header.
  Blocks reachedFrom(llvm::BasicBlock *From) const;

  /// \returns the blocks of the loop itself, not of one around it, from which an
  /// iteration may come to Header without a wait.
  Blocks reachingHeader() const;

  /// \returns the blocks of the task to which ways lead that do not meet Header.
  Blocks around() const;

  /// \returns the blocks that repeat the loop, in the form that is not a copy.
  llvm::SmallVector<llvm::BasicBlock *, 2> latches() const;

  /// \returns true if the blocks of Quick are few, and each can be there twice.
  bool canCopy() const;

  /// Makes Entry, called \p Name, and Copies, to which nothing leads yet.
  void copyBlocks(const char *Name);

  /// Gives Entry a phi for each of the header's, for \p Edges that lead there, and
  /// makes it lead to Begin.
  void createEntryPhis(unsigned Edges);

  /// \p Branch always goes to its successor number \p Index.
  static void take(llvm::BranchInst *Branch, unsigned Index);

  bool isInvariant(const llvm::Value *V) const;

  /// What has one value in the second loop becomes that value, above all what is
  /// the same for all its elements.
  void foldPhis();

  /// Where both loops may come from, their values are joined.
  void correctUses();
};

/// Gives the inner loop of the strip of \p Group such a loop. A strip begins in
/// \p Fill, and its iterations read from the slot from \p Use on.
/// \returns false if an iteration always waits or does more than compute before
/// \p Use: nothing has changed.
bool separateStripLoop(TaskLoop &T, AccessGroup &Group, llvm::BasicBlock *Fill,
                       llvm::BasicBlock *Use);

} // namespace asyncmem

#endif
