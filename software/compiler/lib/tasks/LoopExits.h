// SPDX-License-Identifier: Apache-2.0
// The ways out of a marked loop and the values used after it.

#ifndef ASYNCMEM_LOOPEXITS_H
#define ASYNCMEM_LOOPEXITS_H

#include "loop/TaskLoop.h"
#include "schedule/Variables.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

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

} // namespace asyncmem

#endif
