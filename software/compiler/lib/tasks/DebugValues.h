// SPDX-License-Identifier: Apache-2.0
// What a debugger is told of the variables of a loop body that becomes tasks.
//
// 1. Forward over the body: which value each source variable has at the end of a block.
//    Where ways with different ones meet it is that of their phi, or none.
// 2. Where a task goes on, a variable is where its value was kept: in the frame, outside
//    of the loop, or computed from that; a pointer also in front of the address of a field
//    that was kept. Others are lost, not what another task had. Arrays lie in the frame.
// 3. A value of one variable alone stays that variable's (dbg.declare) while it has a
//    place for the time in which the code changes.
//
//   at = heads[k]; wait; use(at)   ->   resume: dbg.value(frame, at, +16, deref)
//
// Without -g there is nothing to do. Nothing here changes the code.

#ifndef ASYNCMEM_DEBUGVALUES_H
#define ASYNCMEM_DEBUGVALUES_H

#include "tasks/Scheduler.h"
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

  /// Null if it is lost.
  struct Known {
    llvm::Value *V = nullptr;
    /// The arguments of the expression behind the first one.
    llvm::SmallVector<llvm::Value *, 2> Others = {};
    llvm::DIExpression *Expression = nullptr;
    llvm::DILocation *Where = nullptr;
    /// Addresses so far behind the pointer that it is, before frames are laid out.
    llvm::SmallVector<std::pair<llvm::Value *, int64_t>, 1> Fields = {};

    bool isSame(const Known &Other) const {
      return V == Other.V && Others == Other.Others &&
             Expression == Other.Expression;
    }
  };

private:
  using State = llvm::MapVector<llvm::DebugVariable, Known>;

  llvm::ArrayRef<llvm::BasicBlock *> Blocks;
  /// Where each suspension begins.
  llvm::SmallVector<State, 8> AtSuspension;

  static bool
  join(const llvm::BasicBlock &BB,
       llvm::ArrayRef<std::pair<llvm::BasicBlock *, const State *>> Ends,
       State &Begin);
  static void run(const llvm::BasicBlock &BB, State &Now);
};

/// A variable of the source that lies in memory of the body.
struct MemoryVariable {
  llvm::AllocaInst *Memory;
  llvm::DILocalVariable *Variable;
  llvm::DILocation *Where;

  /// Says behind \p Base, as above, that it lies so many bytes from there.
  void emit(llvm::StoreInst &Base, unsigned Offset) const;
};

/// \returns those of \p Memory. Nothing else says any more where they are.
llvm::SmallVector<MemoryVariable, 2>
takeMemoryVariables(llvm::ArrayRef<llvm::AllocaInst *> Memory);

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
