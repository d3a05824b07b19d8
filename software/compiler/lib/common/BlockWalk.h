// SPDX-License-Identifier: Apache-2.0
// The blocks that some ways through the control flow lead over.

#ifndef ASYNCMEM_BLOCKWALK_H
#define ASYNCMEM_BLOCKWALK_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

namespace asyncmem {

template <class Block> using BlockSet = llvm::SmallSetVector<Block *, 16>;

/// \returns the blocks that \p Neighbours leads to from \p Start on, by steps that
/// \p Takes allows; \p Start itself if one of them leads back to it.
template <class Block, class Edges, class Predicate>
BlockSet<Block> walkBlocks(Block *Start, Edges Neighbours, Predicate Takes) {
  BlockSet<Block> Found;
  llvm::SmallVector<Block *, 16> Work = {Start};
  while (!Work.empty()) {
    Block *At = Work.pop_back_val();
    for (Block *Next : Neighbours(At))
      if (Takes(At, Next) && Found.insert(Next))
        Work.push_back(Next);
  }
  return Found;
}

/// \returns the blocks behind \p From by edges of which \p Takes(Before, Next) is true.
template <class Block, class Predicate>
BlockSet<Block> blocksBehind(Block *From, Predicate Takes) {
  return walkBlocks(
      From, [](Block *BB) { return llvm::successors(BB); }, Takes);
}

/// \returns the blocks before \p To, likewise.
template <class Block, class Predicate>
BlockSet<Block> blocksBefore(Block *To, Predicate Takes) {
  return walkBlocks(
      To, [](Block *BB) { return llvm::predecessors(BB); },
      [&](Block *Next, Block *Before) { return Takes(Before, Next); });
}

/// \returns the blocks that an iteration of \p L may run behind \p From.
inline BlockSet<const llvm::BasicBlock>
iterationBehind(const llvm::BasicBlock *From, const llvm::Loop &L) {
  return blocksBehind(
      From, [&](const llvm::BasicBlock *, const llvm::BasicBlock *Next) {
        return Next != L.getHeader() && L.contains(Next);
      });
}

} // namespace asyncmem

#endif
