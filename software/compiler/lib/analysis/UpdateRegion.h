// SPDX-License-Identifier: Apache-2.0
// The part of an iteration that is between the first load and the last store of
// an update of a remote word, on every path.

#ifndef ASYNCMEM_UPDATEREGION_H
#define ASYNCMEM_UPDATEREGION_H

#include "loop/TaskLoop.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace asyncmem {

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
