// SPDX-License-Identifier: Apache-2.0
// Where a variable of the frame is saved and reloaded (section III-B).
//
// 1. The code of the task as a graph of blocks, with edges and loops inside it.
// 2. Webs: values that live across a suspension and can share a place.
// 3. Saved as early as all paths lead to a suspension that needs it, and only if it
//    changed since it was saved; reloaded where all paths lead to a use, and only if
//    it is not in a register.
//
//   n = ...; while (c) { wait; use(n) }  ->  n = ...; save n; while (c) { wait; reload n; use(n) }

#ifndef ASYNCMEM_PLACEMENT_H
#define ASYNCMEM_PLACEMENT_H

#include "tasks/BodyGraph.h"

namespace asyncmem {

struct FlowEdge {
  unsigned From, To;
};

struct Placement {
  /// Definitions saved at once, the last ones of their blocks.
  struct SavedDefinition {
    unsigned Block;
    /// Null for a copy at the end of the block.
    llvm::Instruction *Definition;
  };
  llvm::SmallVector<SavedDefinition, 4> SaveDefinition;
  llvm::SmallVector<FlowEdge, 4> SaveOn, ReloadOn;
  /// Resumed blocks that begin with a reload.
  llvm::SmallVector<unsigned, 4> ReloadAt;
};

/// \returns the cheapest of the placements of \p W in \p Graph that several rules give.
Placement placeAccesses(const Web &W, const BodyGraph &Graph);

/// \returns when the frame holds the variable or is given it, at points of the task
/// code: 2 B is the start of block B, 2 B + 1 the rest of it.
llvm::BitVector pointsInFrame(const Placement &P, const BodyGraph &Graph);

} // namespace asyncmem

#endif
