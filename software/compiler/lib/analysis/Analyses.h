// SPDX-License-Identifier: Apache-2.0
// What is found out about a marked loop before it becomes tasks, or why it stays serial. How
// each analysis works stands at the head of its source.

#ifndef ASYNCMEM_ANALYSES_H
#define ASYNCMEM_ANALYSES_H

#include "analysis/RemotePointers.h"
#include "common/Reports.h"
#include "common/TaskLoop.h"

namespace asyncmem {

// CollectAccesses.cpp

/// Finds the remote accesses of \p T. \p Requests: they become requests of the
/// AMU. \returns false with \p No set if the loop cannot be transformed.
bool collectAccesses(TaskLoop &T, const RemotePointers &Pointers, bool Requests,
                     Refusal &No);

/// \returns true if \p F, or what it calls in its module, uses the AMU, or has a
/// loop that may become tasks.
bool mayRunTasks(const llvm::Function &F);

/// The same of what \p Call calls: through a pointer any function whose address
/// is taken.
bool mayRunTasks(const llvm::CallBase &Call);

// PrivateMemory.cpp

/// All frames are on the stack: 512 tasks of this size are 2 MiB.
inline constexpr unsigned MaxPrivateBytes = 4096;

/// Finds the variables whose life starts in the loop body. \returns false with
/// \p No set if one of them cannot be its task's own.
bool collectPrivateMemory(TaskLoop &T, Refusal &No);

/// \returns true if what is at \p Pointer is the own variable of each task.
bool isPrivate(const TaskLoop &T, const llvm::Value *Pointer);

// Classify.cpp

/// Fills in the classes and the slice that computes sequential values; needs the
/// accesses collected. \returns false with \p No set if the loop cannot be
/// transformed.
bool classifyCarriedValues(TaskLoop &T, llvm::AAResults &AA, Refusal &No);

/// \returns the value of \p Phi if it would be shared but for an iteration that needs
/// several versions of it at a time.
std::optional<SharedUpdate> findManyVersions(const TaskLoop &T,
                                             llvm::PHINode *Phi);

// Legality.cpp

/// \returns false with \p No set if tasks would show another order of accesses
/// than iterations do. Needs the carried values classified.
bool checkMemoryDependences(TaskLoop &T, llvm::ScalarEvolution &SE,
                            Refusal &No);

// RemoteUpdates.cpp

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

/// The part of an iteration that is between the first load and the last store of
/// an update of a remote word, on every path.
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

} // namespace asyncmem

#endif
