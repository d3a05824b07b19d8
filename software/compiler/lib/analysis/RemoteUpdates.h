// SPDX-License-Identifier: Apache-2.0
// Plain updates of remote words, such as x[k[i]]++: between the load and the
// store of one task another one may update the same word, unless the addresses
// surely differ from iteration to iteration, or a clause allows it.
//
// Algorithm: a store joins the update that the first load begins that it may overlap
// with and that decides what or whether it stores. Updates of words that no other
// iteration changes are dropped. If no task can wait between load and stores, nothing
// is to be done; else the region between them, on all paths, must be closed, hold no
// other lock, and be about one word of at most 8 bytes, which is locked there.
//
//   x[k[i]] = f(x[k[i]], *remote);   the region is from the load of x[k[i]] to its store

#ifndef ASYNCMEM_REMOTEUPDATES_H
#define ASYNCMEM_REMOTEUPDATES_H

#include "common/Reports.h"
#include "common/TaskLoop.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

// The part of an iteration that is between the first load and the last store of
// an update of a remote word, on every path.

class UpdateRegion {
public:
  UpdateRegion(const TaskLoop &T, const RemoteUpdate &U);

  /// Calls \p Visit for every instruction behind the first load up to the last
  /// store on some path; not for the first load.
  void forEach(llvm::function_ref<void(llvm::Instruction &)> Visit) const;

  /// Where the region ends: behind an instruction, if To is null, else on the
  /// edge from its block to another one.
  struct End {
    llvm::Instruction *Last;
    llvm::BasicBlock *To;
  };
  llvm::ArrayRef<End> ends() const { return Ends; }

  /// \returns true if the loop or the iteration may end inside the region, or
  /// a store be reached without the first load.
  bool isOpen() const { return Open; }

private:
  const TaskLoop &T;
  const RemoteUpdate &U;
  /// Blocks from whose start a store can be reached before the first load.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Reaching;
  llvm::SmallVector<llvm::BasicBlock *, 4> Entered;
  llvm::SmallVector<End, 4> Ends;
  bool Open = false;

  bool isInIteration(const llvm::BasicBlock *BB) const;
  bool reachesStore(const llvm::Instruction *From) const;
  void findReaching();
  void walk();
  void walkFrom(llvm::Instruction *From);
};

/// Fills T.Updates with those that another task may come between. \p Requests:
/// the accesses are requests of the AMU, at which tasks wait; else tasks may
/// wait at other remote loads between them. If they do in none, all are there,
/// too, so that no access moves and divides one. \returns false with \p No set if
/// an update cannot be made exclusive.
bool findRemoteUpdates(TaskLoop &T, llvm::ScalarEvolution &SE, bool Requests,
                       Refusal &No);

/// Empties T.Updates if no task waits during any of them, as T.Groups says where
/// tasks do.
void removeUndividedUpdates(TaskLoop &T);

} // namespace asyncmem

#endif
