// SPDX-License-Identifier: Apache-2.0
// Launch: the part of an iteration that runs in program order, before its task
// starts. It computes the sequential values of the next iteration and whether
// there is one, by a copy of the slice with the control flow it needs.

#ifndef ASYNCMEM_LAUNCH_H
#define ASYNCMEM_LAUNCH_H

#include "schedule/TaskBlocks.h"
#include "tasks/LoopExits.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace asyncmem {

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

  llvm::Value *atLaunch(llvm::Value *V) {
    llvm::Value *Mapped = Map.lookup(V);
    return Mapped ? Mapped : V;
  }
  void chooseContinue();
  void startTaskWith(llvm::Instruction *InBody, llvm::Value *AtLaunch,
                     llvm::Instruction *Behind);
  void copySlice(llvm::BasicBlock *Repeat);
  void emitRepeat(llvm::BasicBlock *Repeat);
};

} // namespace asyncmem

#endif
