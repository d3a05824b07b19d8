// SPDX-License-Identifier: Apache-2.0
// The part of an iteration that runs in program order, before its task starts, and
// the ways out of the loop.
//
// 1. Launch computes the sequential values of the next iteration and whether there is
//    one, by a copy of the slice with the control flow it needs.
// 2. A value used behind the loop comes from Launch, from its shared variable or from
//    the task of the last iteration.
// 3. Finalize jumps to the exit that was taken.
//
//   for (; p; p = p->next) ...  ->  launch: if (!p) schedule; mine = p; p = p->next; body

#ifndef ASYNCMEM_LAUNCH_H
#define ASYNCMEM_LAUNCH_H

#include "common/Blocks.h"
#include "common/TaskLoop.h"
#include "tasks/Scheduler.h"

namespace asyncmem {

/// Which way the loop is left is known when its last iteration is launched. A
/// value used after the loop comes from launch (sequential), from its variable
/// (shared), or from the task of the last iteration, which alone takes an exit.
class LoopExits {
public:
  /// \p SharedVariable maps each value of a shared chain to its variable.
  LoopExits(
      TaskLoop &T, Variables &Vars,
      const llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> &SharedVariable);

  /// Lets \p Variable, which holds \p V where launch goes on, be the one for \p V at
  /// exit \p Index. To be called before storeAtLaunch.
  void shareAtLaunch(unsigned Index, const llvm::Value *V,
                     llvm::AllocaInst *Variable);

  /// Stores, where \p B stands in Launch, that the loop is left by exit
  /// \p Index and what is known of the values used after it.
  void storeAtLaunch(llvm::IRBuilderBase &B, unsigned Index,
                     llvm::function_ref<llvm::Value *(llvm::Value *)> AtLaunch);

  /// Sends the exits of the body to \p Return, over blocks that store the
  /// values only the last task has; those are added to the body.
  void redirect(llvm::BasicBlock *Return);

  /// Ends \p Finalize with the jumps to the exit blocks.
  void emitFinalize(llvm::BasicBlock *Finalize);

  /// \returns true if \p V, used after the loop, is known to the task of the last
  /// iteration alone.
  static bool isFromTask(const TaskLoop &T, llvm::Value *V);

private:
  struct LastValue {
    llvm::PHINode *Phi;
    llvm::Value *Value;
    llvm::AllocaInst *Variable;
    enum { FromLaunch, FromShared, FromTask } Source;
  };
  TaskLoop &T;
  llvm::Function &F;
  /// Number of the exit taken, if there are several.
  llvm::AllocaInst *Taken = nullptr;
  llvm::SmallVector<llvm::SmallVector<LastValue, 2>, 2> Values;
};

class Launch {
public:
  Launch(TaskLoop &T, const TaskBlocks &Blocks, Variables &Vars,
         LoopExits &Exits)
      : T(T), Blocks(Blocks), Vars(Vars), Exits(Exits),
        F(*T.Header->getParent()) {}

  /// Fills Blocks.Launch, makes the body read what Launch computed for it.
  void build();

  /// Computes whether an iteration is left to launch.
  llvm::Value *more(llvm::IRBuilderBase &B, bool Rarely);

private:
  TaskLoop &T;
  const TaskBlocks &Blocks;
  Variables &Vars;
  LoopExits &Exits;
  llvm::Function &F;
  llvm::ValueToValueMapTy Map;
  /// Next value of each sequential phi.
  llvm::DenseMap<llvm::PHINode *, llvm::AllocaInst *> NextValue;
  /// "Next compared with Bound" tells whether another iteration follows; if
  /// the end condition has another form, a flag that Launch sets tells it.
  struct {
    llvm::CmpInst::Predicate Predicate;
    llvm::AllocaInst *Next = nullptr;
    llvm::Value *Bound = nullptr;
  } Continue;
  llvm::AllocaInst *MoreFlag = nullptr;

  llvm::Value *atLaunch(llvm::Value *V) { return mapped(Map, V); }
  void chooseContinue();
  void startTaskWith(llvm::Instruction *InBody, llvm::Value *AtLaunch,
                     llvm::Instruction *Behind);
  void copySlice(llvm::BasicBlock *Repeat);
  void emitRepeat(llvm::BasicBlock *Repeat);
};

} // namespace asyncmem

#endif
