// SPDX-License-Identifier: Apache-2.0
// What a marked loop does in memory, as far as tasks can do it.
//
// Algorithm: each instruction of the loop is looked at once. A call must be one whose
// effects are known, as a task may not suspend inside it. A load, store or atomic whose
// pointer is remote becomes T.Remote, if the AMU could request it: 1, 2, 4 or 8 aligned
// bytes. A variable in memory whose life starts in the loop is the task's own, unless
// some address of it escapes from loads, stores and fills.
//
//   for (i) { int v[4]; f(v[x[i]]); }   x[i] is remote; v has a copy in each task's frame

#ifndef ASYNCMEM_COLLECTACCESSES_H
#define ASYNCMEM_COLLECTACCESSES_H

#include "analysis/RemotePointers.h"
#include "common/Reports.h"
#include "loop/TaskLoop.h"

namespace llvm {
class AllocaInst;
class Instruction;
class Loop;
class Use;
class Value;
} // namespace llvm

namespace asyncmem {

/// Finds the remote accesses of \p T. \p Requests: they become requests of the
/// AMU. \returns false with \p No set if the loop cannot be transformed.
bool collectAccesses(TaskLoop &T, const RemotePointers &Pointers, bool Requests,
                     Refusal &No);

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
/// function of a recursion write it.
const llvm::Instruction *escapingUse(const llvm::Value *A, bool MayCall);

} // namespace asyncmem

#endif
