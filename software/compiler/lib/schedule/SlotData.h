// SPDX-License-Identifier: Apache-2.0
// The data of a task's requests in its slot of the SPM: what stores put there for
// the AMU to take, and the loads that stand where the program loaded remote memory.

#ifndef ASYNCMEM_SLOTDATA_H
#define ASYNCMEM_SLOTDATA_H

#include "schedule/SlotCopies.h"
#include "schedule/Suspension.h"
#include "schedule/TaskHandle.h"

namespace asyncmem {

class SlotData {
public:
  explicit SlotData(TaskHandle &Handle) : Handle(Handle) {}

  /// \returns \p Group with the data of its stores where it lies in the slot since it
  /// was loaded, so that write() has nothing to do; nothing if some of it does not.
  std::optional<AccessGroup> inPlace(const AccessGroup &Group,
                                     const Suspension &S) const {
    return Copied.inPlace(Group, S.Before);
  }

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
  SlotCopies Copied;

  void readRow(const AccessGroup &Group, llvm::LoadInst *Load);
  void readRowAt(llvm::LoadInst *Load, const Request &R, llvm::Value *Place);
};

} // namespace asyncmem

#endif
