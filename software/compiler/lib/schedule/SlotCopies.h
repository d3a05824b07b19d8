// SPDX-License-Identifier: Apache-2.0
// Stores of what the task has just loaded: where the data of all stores of a group
// lies in the slot as loaded since the last suspension, their requests take it from
// there, and nothing is written into the slot. So a copy of remote memory needs
// neither a load nor a store of the core for its data.

#ifndef ASYNCMEM_SLOTCOPIES_H
#define ASYNCMEM_SLOTCOPIES_H

#include "loop/Request.h"
#include "llvm/ADT/DenseMap.h"

namespace asyncmem {

/// What is loaded from the slot, and from where in it.
class SlotCopies {
public:
  void add(const llvm::Instruction *Load, unsigned Place) {
    Places[Load] = Place;
  }

  /// \returns \p Group, issued at the end of \p Before, with its data where it lies in
  /// the slot; nothing if some of it does not.
  std::optional<AccessGroup> inPlace(const AccessGroup &Group,
                                     const llvm::BasicBlock *Before) const;

private:
  llvm::DenseMap<const llvm::Instruction *, unsigned> Places;

  std::optional<unsigned> placeOf(const Request &R,
                                  const llvm::BasicBlock *Before) const;
};

} // namespace asyncmem

#endif
