// SPDX-License-Identifier: Apache-2.0
// Callees that call themselves, directly or through others: which functions belong
// together, whether tasks can run them as nested coroutines (IterativeCallee.cpp), and
// their explicit stack.
//
// Algorithm: functions that reach each other by calls are one group. It must have no
// construct that a stack of equal parts cannot follow, such as an address of a variable that
// is kept. A part has the variables in memory, the values needed behind a call, and where to
// go on; the last level calls the plain function.
//
//   f(t) { f(t->left); use(t); }  ->  levels[n] = {t, where to go on}; t = t->left; ++n; ...

#ifndef ASYNCMEM_RECURSION_H
#define ASYNCMEM_RECURSION_H

#include "common/Options.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// Functions that can be reached from one another by direct calls; the first
/// one is where the recursion starts. Empty if that one is not recursive.
using RecursiveGroup = llvm::SmallSetVector<llvm::Function *, 4>;

RecursiveGroup recursiveGroup(llvm::Function &F);

/// \returns the calls in \p F of members of \p Group.
llvm::SmallVector<llvm::CallBase *, 4> callsInto(const RecursiveGroup &Group,
                                                 llvm::Function &F);

/// \returns null if tasks of a loop of \p Caller can run \p Group level by
/// level, else why not.
const char *checkGroup(const RecursiveGroup &Group,
                       const llvm::Function &Caller, const Options &Opts);

/// What makeIterative() made.
struct IterativeCallee {
  llvm::Function *F;
  unsigned Levels;
  unsigned LevelBytes;
};

/// Makes such a function of \p Group, which checkGroup accepted, for at most
/// \p Levels levels of together \p StackBytes; one level may need more. Who erases
/// the function clears it from \p FAM.
IterativeCallee makeIterative(const RecursiveGroup &Group,
                              llvm::FunctionAnalysisManager &FAM,
                              unsigned Levels, unsigned StackBytes);

/// First fields are added, then setSize, then the code that changes levels, at
/// last allocate.
class LevelStack {
public:
  /// \p Level is a 64-bit variable for the bytes from the start of the stack to
  /// the level of the activation; \p Entry is the function's first block, which
  /// has no end yet.
  LevelStack(llvm::AllocaInst *Level, llvm::BasicBlock &Entry);

  /// Adds \p Bytes behind \p End, which becomes the end of the new field.
  /// \returns the offset of the field on its level.
  unsigned addField(unsigned &End, uint64_t Bytes, llvm::Align FieldAlignment);

  /// Makes \p Memory fields at the start of a level.
  void moveMemory(llvm::ArrayRef<llvm::AllocaInst *> Memory);

  /// As many levels as fit into \p StackBytes, at least one, at most
  /// \p MaxLevels.
  void setSize(unsigned MaxLevels, unsigned StackBytes);

  unsigned levels() const { return Levels; }
  /// Bytes of a level, before setSize of its fields.
  unsigned levelBytes() const { return LevelBytes; }

  /// Address of byte \p Offset of the level.
  llvm::Value *place(llvm::IRBuilderBase &B, unsigned Offset) const;

  llvm::Value *isFirst(llvm::IRBuilderBase &B) const;
  llvm::Value *isLast(llvm::IRBuilderBase &B) const;
  void raise(llvm::IRBuilderBase &B) const;
  void lower(llvm::IRBuilderBase &B) const;

  /// Allocates the stack, at its first level, where \p B stands in the entry.
  void allocate(llvm::IRBuilderBase &B);

private:
  llvm::AllocaInst *Level;
  /// Stands for the stack until its size is known.
  llvm::AllocaInst *Stack;
  llvm::Align Alignment = llvm::Align(8);
  unsigned Levels = 0;
  unsigned LevelBytes = 0;
};

} // namespace asyncmem

#endif
