// SPDX-License-Identifier: Apache-2.0
// What a debugger is told of the variables of a loop body that becomes tasks.
//
// 1. Forward over the body: which value each source variable has at the end of a block;
//    none where ways with different ones meet.
// 2. Where a task goes on, a variable is where its value was kept: in the frame, outside
//    of the loop, or computed from that. Others are lost, not what another task had.
// 3. A value of one variable alone stays that variable's (dbg.declare) while it has a
//    place for the time in which the code changes.
//
//   at = heads[k]; wait; use(at)   ->   resume: dbg.value(frame, at, +16, deref)
//
// Without -g there is nothing to do. Nothing here changes the code.

#ifndef ASYNCMEM_DEBUGVALUES_H
#define ASYNCMEM_DEBUGVALUES_H

#include "tasks/Scheduler.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <optional>

namespace llvm {
class DominatorTree;
} // namespace llvm

namespace asyncmem {

class DebugValues {
public:
  DebugValues(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
              llvm::ArrayRef<Suspension> Suspensions);

  /// Says behind \p Base, which stores where the frame of the task is that goes on behind
  /// suspension \p S, where the variables are: those of values that \p OffsetOf knows so
  /// many bytes from there, those of values of before the loop where they were.
  void emit(unsigned S, llvm::StoreInst &Base,
            llvm::function_ref<std::optional<unsigned>(const llvm::Value *)>
                OffsetOf) const;

private:
  /// Null if it is lost.
  struct Known {
    llvm::Value *V = nullptr;
    llvm::DIExpression *Expression = nullptr;
    llvm::DILocation *Where = nullptr;
  };
  using State = llvm::MapVector<llvm::DebugVariable, Known>;

  llvm::ArrayRef<llvm::BasicBlock *> Blocks;
  /// Where each suspension begins.
  llvm::SmallVector<State, 8> AtSuspension;

  static bool meet(State &Into, const State &Other);
  static void run(const llvm::BasicBlock &BB, State &Now);
};

/// Lets \p Place, a variable that is to be promoted, be what the one source variable is
/// that \p Values are values of, if there is one.
void declareVariable(llvm::AllocaInst &Place,
                     llvm::ArrayRef<llvm::Instruction *> Values);

/// Once variables are promoted: what was reloaded is found in the frame; what is not
/// computed on all ways to where \p Blocks name it is lost.
void finishDebugValues(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                       const llvm::DominatorTree &DT);

} // namespace asyncmem

#endif
