// SPDX-License-Identifier: Apache-2.0
// What the program reads and writes is neither in a slot nor a field of a frame. LLVM
// cannot know that, as the addresses of both come from the AMU; so it is told.

#ifndef ASYNCMEM_TASKMEMORY_H
#define ASYNCMEM_TASKMEMORY_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace asyncmem {

/// Marks accesses of \p Blocks, the code of tasks: \p SlotAccesses, those of fields of
/// the frame, which have ContextTag, and all others.
void separateTaskMemory(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                        llvm::ArrayRef<llvm::Instruction *> SlotAccesses);

} // namespace asyncmem

#endif
