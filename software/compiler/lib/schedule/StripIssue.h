// SPDX-License-Identifier: Apache-2.0
// The requests of a strip (requests/StripRequests.h) behind those of its first
// iteration, and what its iterations read from the slot.

#ifndef ASYNCMEM_STRIPISSUE_H
#define ASYNCMEM_STRIPISSUE_H

#include "loop/Request.h"
#include "schedule/AddressWords.h"
#include "schedule/TaskHandle.h"

namespace asyncmem {

struct StripParts {
  TaskHandle &Handle;
  AddressWords &Words;
};

/// Makes \p B request \p Next, which belongs to the group that \p S waits for.
void requestBlock(llvm::IRBuilderBase &B, const NextBlock &Next,
                  const Suspension &S, const StripParts &Parts);

/// Makes \p Loop request what all but the first iteration of the strip load, between
/// \p Head and S.Before.
void requestFollowing(const AccessGroup &Group, const Suspension &S,
                      const StripParts &Parts, llvm::BasicBlock *Head,
                      llvm::BasicBlock *Loop);

/// Replaces the loads of the strip by loads from the slot.
void readStrip(TaskHandle &Handle, const AccessGroup &Group);

} // namespace asyncmem

#endif
