// SPDX-License-Identifier: Apache-2.0
// What schedulers and the code of tasks share: the blocks of the transformed loop,
// the places where tasks wait, and variables that become SSA values at the end.

#ifndef ASYNCMEM_TASKPARTS_H
#define ASYNCMEM_TASKPARTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace asyncmem {

/// One place where a task waits: \p Before ends with the request, \p After is
/// entered by the scheduler and starts with the data. Until the scheduler is
/// emitted, Before branches to After.
struct Suspension {
  llvm::BasicBlock *Before;
  llvm::BasicBlock *After;
  /// How often it happens, in executions an iteration.
  double Frequency = 1;
};

/// The blocks around the task code. Entry state: Init is entered once with all
/// sequential and shared variables set; Launch computes the next iteration's
/// values, then runs the task of the current handler; a finished task branches
/// to Return; Finalize runs when no task is left.
struct TaskBlocks {
  llvm::BasicBlock *Init;
  llvm::BasicBlock *Launch;
  llvm::BasicBlock *Schedule;
  llvm::BasicBlock *Return;
  llvm::BasicBlock *Finalize;
  /// The code of the tasks; grows while suspensions are added.
  llvm::SmallVectorImpl<llvm::BasicBlock *> *Body;

  /// Adds blocks that were made from \p Behind to the code of the tasks.
  void addToBody(llvm::BasicBlock *Behind,
                 llvm::ArrayRef<llvm::BasicBlock *> New) const {
    Body->insert(std::next(llvm::find(*Body, Behind)), New.begin(), New.end());
  }
};

// Values of the generated code that are kept in a register.

/// Variables of the generated code that are assigned in several places. They
/// are allocas until the control flow is complete, then become SSA values.
class Variables {
public:
  explicit Variables(llvm::Function &F) : F(F) {}

  llvm::AllocaInst *create(llvm::Type *Ty, const llvm::Twine &Name);
  llvm::ArrayRef<llvm::AllocaInst *> all() const { return Allocas; }

private:
  llvm::Function &F;
  llvm::SmallVector<llvm::AllocaInst *, 16> Allocas;
};

/// \p V as a value the optimizer knows nothing of: computed where \p Builder
/// stands and kept in a register, neither moved nor built anew at each use. Where
/// no register is as wide, \p V itself.
llvm::Value *keepInRegister(llvm::IRBuilderBase &Builder, llvm::Value *V);

/// No code, behind which a block ends that passes shall not join with the end of
/// another one.
void keepEndApart(llvm::IRBuilderBase &Builder);

} // namespace asyncmem

#endif
