// SPDX-License-Identifier: Apache-2.0
// Iterations of an inner loop as tasks of their own. A task that
// comes to a long run of it lists what it does not begin at once; when no iteration
// of the marked loop is left, tasks without work take parts from the end of what is
// listed, while the first one goes on at its begin. They read the values of the loop
// from its record (RangeList.h) and add their sums there; it waits behind the loop
// until the last of them is done. Who waits there waits for tasks that run, so no
// number of tasks is too small.

#ifndef ASYNCMEM_NESTEDTASKS_H
#define ASYNCMEM_NESTEDTASKS_H

#include "schedule/Scheduler.h"
#include "tasks/NestedRegion.h"

namespace asyncmem {

class NestedTasks {
public:
  NestedTasks(TaskLoop &T, TaskBlocks &Blocks, Variables &Vars,
              Scheduler::Condition More)
      : T(T), Blocks(Blocks), Vars(Vars), More(std::move(More)),
        F(*T.Header->getParent()) {}

  /// Takes the inner loop of T.Nested apart, before anything in it is. \returns
  /// false if it cannot be shared after all, as \p No says: nothing has changed
  /// then.
  bool build(unsigned Tasks, Refusal &No);

  /// Fills in what only the scheduler knows. \returns where a task waits for
  /// others.
  Suspension connect(Scheduler &Sched);

private:
  /// A value that other tasks read from the record.
  struct Carried {
    llvm::Instruction *Value;
    unsigned Field;
    llvm::AllocaInst *Variable;
  };

  /// The record's field, the variable that the parts hand on, and the value of the
  /// whole loop.
  struct Sum {
    unsigned Field;
    llvm::AllocaInst *Variable;
    llvm::PHINode *AtExit;
  };

  TaskLoop &T;
  TaskBlocks &Blocks;
  Variables &Vars;
  Scheduler::Condition More;
  llvm::Function &F;
  std::shared_ptr<RangeList> List;
  llvm::DebugLoc Loc;
  /// How many iterations the inner loop has.
  llvm::Value *Count = nullptr;
  NestedRegion Region;
  llvm::SmallVector<Carried, 8> Captures;
  /// One for each of T.Nested->Reductions.
  llvm::SmallVector<Sum, 2> Sums;
  /// While the control flow changes: begin and end of the range; the record it
  /// is a part of, null if nothing of the loop is listed, odd in other tasks.
  llvm::AllocaInst *From = nullptr, *To = nullptr, *Part = nullptr;
  /// All variables that become values at the end of build().
  llvm::SmallVector<llvm::AllocaInst *, 16> Local;
  /// The part that a new task takes, null if it runs an iteration.
  llvm::AllocaInst *Taken = nullptr;
  /// A place-holder for the ID; where another task is woken, and its ID.
  llvm::Instruction *OwnId = nullptr, *Wake = nullptr;
  llvm::WeakTrackingVH Sleeper;
  Suspension Join;

  llvm::BasicBlock *newBlock(const llvm::Twine &Name, llvm::BasicBlock *Behind);
  llvm::AllocaInst *variable(llvm::Type *Ty, const llvm::Twine &Name);
  llvm::Value *load(llvm::IRBuilderBase &B, llvm::AllocaInst *Variable) const;
  llvm::Value *combine(llvm::IRBuilderBase &B, const NestedReduction &R,
                       llvm::Value *A, llvm::Value *Other) const;
  void setRange(llvm::IRBuilderBase &B, llvm::Value *Begin, llvm::Value *End);
  void carrySums();
  void demote();
  void enter();
  void leave();
  void startTasks();
  void take(llvm::IRBuilderBase &B, llvm::Value *Record);
};

} // namespace asyncmem

#endif
