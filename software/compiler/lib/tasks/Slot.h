// SPDX-License-Identifier: Apache-2.0
// Data of requests in the task's slot of the SPM.
//
// 1. What a group stores is written into the slot in front of its requests, unless
//    the task has loaded it from there since it last waited: then they take it from
//    where it is.
// 2. What a group loads is read from the slot where the task goes on.
// 3. Slots and frames do not alias the program's data, nor each other.
//
//   y[i] = x[i], both remote:  aload x[i] into the slot; wait; astore y[i] from it

#ifndef ASYNCMEM_SLOT_H
#define ASYNCMEM_SLOT_H

#include "tasks/TaskHandle.h"

namespace asyncmem {

class SlotData {
public:
  explicit SlotData(TaskHandle &Handle) : Handle(Handle) {}

  /// \returns \p Group with the data of its stores where it lies in the slot since it
  /// was loaded, so that write() has nothing to do; nothing if some of it does not.
  std::optional<AccessGroup> inPlace(const AccessGroup &Group,
                                     const Suspension &S) const;

  /// Puts the data of the group's stores into the slot, at the end of S.Before.
  void write(const AccessGroup &Group, const Suspension &S);

  /// Removes the group's accesses, where the task has waited for them. What they
  /// loaded, also of rows and strips, is loaded from the slot.
  void read(const AccessGroup &Group);

  /// \returns what \p Load reads, \p Offset bytes behind \p Place in the slot.
  llvm::Value *readAt(llvm::IRBuilderBase &B, const llvm::LoadInst &Load,
                      unsigned Place, llvm::Value *Offset);

private:
  TaskHandle &Handle;
  /// What is loaded from the slot, and from where in it.
  llvm::DenseMap<const llvm::Instruction *, unsigned> Places;

  std::optional<unsigned> placeOf(const Request &R,
                                  const llvm::BasicBlock *Before) const;

  void readRow(const AccessGroup &Group, llvm::LoadInst *Load);
  void readRowAt(llvm::LoadInst *Load, const Request &R, llvm::Value *Place);
};

/// Marks accesses of \p Blocks, the code of tasks: \p SlotAccesses, those of fields of
/// the frame, which have ContextTag, and all others.
void separateTaskMemory(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                        llvm::ArrayRef<llvm::Instruction *> SlotAccesses);

} // namespace asyncmem

#endif
