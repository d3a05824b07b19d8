// SPDX-License-Identifier: Apache-2.0
// Optimisation remarks on loops that became tasks: -Rpass=asyncmem for the
// whole loop and recursive callees, -Rpass-analysis=asyncmem for each suspension,
// -Rpass-missed=asyncmem for each remote load that no task can wait for.

#ifndef ASYNCMEM_REMARKS_H
#define ASYNCMEM_REMARKS_H

#include "requests/Requests.h"
#include "tasks/TaskBuilder.h"
#include "transform/Checker.h"

namespace asyncmem {

/// Says of each access whether it is remote, and why, and who waits for it; warns of
/// loads that the marks seem to have forgotten.
void reportAccesses(const TaskLoop &T);

/// Values of a loop by class (section III-B).
struct ValueClasses {
  unsigned Shared;
  unsigned Sequential;
};

/// Says at each place where tasks will wait what they wait for.
void reportSuspensions(const TaskLoop &T);

/// Says at each update of a remote word that it is made exclusive.
void reportUpdates(const TaskLoop &T);

/// Says at the pragma which of its promises the tasks rely on, and those of the
/// clauses.
void reportPromises(const TaskLoop &T, const llvm::DebugLoc &Pragma,
                    llvm::ArrayRef<CheckedAccess> Accesses);

/// Says at the pragma that the program checks them at \p Accesses.
void reportChecked(llvm::Function &F, const llvm::DebugLoc &Pragma,
                   unsigned Accesses);

/// Says at each remote load that decides about the next iteration that nothing
/// overlaps with it.
void reportLaunchLoads(const TaskLoop &T);

/// Says at the pragma at how many accesses tasks do not switch; where they switch
/// nowhere the loop stays as it is.
void reportNear(const TaskLoop &T, const llvm::DebugLoc &Pragma);

/// Says at the pragma what was built.
void reportSplit(llvm::Function &F, const llvm::DebugLoc &Pragma,
                 llvm::StringRef Scheduler, const ValueClasses &Classes,
                 const TaskStatistics &Built);

} // namespace asyncmem

#endif
