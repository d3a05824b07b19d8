// SPDX-License-Identifier: Apache-2.0
// The blocks that some ways through the control flow lead over.

#ifndef ASYNCMEM_BLOCKWALK_H
#define ASYNCMEM_BLOCKWALK_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"

namespace asyncmem {

template <class Block> using BlockSet = llvm::SmallSetVector<Block *, 16>;

/// \returns the blocks behind \p From by edges of which \p Takes(Before, Next) is true;
/// \p From itself if one of them leads back to it.
template <class Block, class Predicate>
BlockSet<Block> blocksBehind(Block *From, Predicate Takes) {
  BlockSet<Block> Found;
  llvm::SmallVector<Block *, 16> Work = {From};
  while (!Work.empty()) {
    Block *Before = Work.pop_back_val();
    for (Block *Next : llvm::successors(Before))
      if (Takes(Before, Next) && Found.insert(Next))
        Work.push_back(Next);
  }
  return Found;
}

/// \returns the blocks before \p To, likewise.
template <class Block, class Predicate>
BlockSet<Block> blocksBefore(Block *To, Predicate Takes) {
  BlockSet<Block> Found;
  llvm::SmallVector<Block *, 16> Work = {To};
  while (!Work.empty()) {
    Block *Next = Work.pop_back_val();
    for (Block *Before : llvm::predecessors(Next))
      if (Takes(Before, Next) && Found.insert(Before))
        Work.push_back(Before);
  }
  return Found;
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
