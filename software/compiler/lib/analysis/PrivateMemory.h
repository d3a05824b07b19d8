// SPDX-License-Identifier: Apache-2.0
// Variables in memory that each task of a loop has for itself.
//
// Algorithm: a variable whose life starts in the loop is the task's own, unless some
// address of it escapes from loads, stores, fills and comparisons. Addresses in one
// variable may be joined, but not kept while the task waits, as its frame may move.
//
//   for (i) { int v[4]; f(v[x[i]]); }   v has a copy in each task's frame

#ifndef ASYNCMEM_PRIVATEMEMORY_H
#define ASYNCMEM_PRIVATEMEMORY_H

#include "common/Reports.h"
#include "common/TaskLoop.h"

namespace llvm {
class AllocaInst;
class Instruction;
class Loop;
class Use;
class Value;
} // namespace llvm

namespace asyncmem {

/// Finds the variables whose life starts in the loop body. \returns false with
/// \p No set if one of them cannot be its task's own.
bool collectPrivateMemory(TaskLoop &T, Refusal &No);

// Variables in memory whose place is another one in each task or each level of
// a recursion: no address in them may be kept anywhere.

/// \returns true if \p I starts or ends the life of a variable.
bool isLifetime(const llvm::Instruction &I);

/// All frames are on the stack: 512 tasks of this size are 2 MiB.
inline constexpr unsigned MaxPrivateBytes = 4096;

/// \returns true if the life of \p A starts in \p L: each task has its own.
bool isPrivateTo(const llvm::AllocaInst &A, const llvm::Loop &L);

/// \returns the place where the operand \p U is read.
llvm::Instruction *positionOf(llvm::Use &U);

/// \returns where some address derived from \p A leaves the pattern "load,
/// store or fill at a GEP of it", since its place is different in each task;
/// null if it does not. With \p MayCall a callee may read it, and the plain
/// function of a recursion write it. With \p MayJoin such addresses may be joined
/// with each other and compared.
const llvm::Instruction *escapingUse(const llvm::Value *A, bool MayCall,
                                     bool MayJoin = false);

/// \returns true if what is at \p Pointer is the own variable of each task.
bool isPrivate(const TaskLoop &T, const llvm::Value *Pointer);

} // namespace asyncmem

#endif
