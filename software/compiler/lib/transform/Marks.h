// SPDX-License-Identifier: Apache-2.0
// The marks of remote pointers: they go once accesses are collected, with what nothing
// but a mark needs; a loop that is analysed again gets them back.
//
// Algorithm: all calls of marks are erased; near pointers are remembered. Then instructions
// without a use are deleted, and the remote accesses among them are forgotten. If none is
// left, the loop is refused, and the text says what the marks name.
//
//   q = p->next; mark(q); s += p->value;   ->   s += p->value;   where nothing else needs q

#ifndef ASYNCMEM_MARKS_H
#define ASYNCMEM_MARKS_H

#include "common/Reports.h"
#include "common/TaskLoop.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// Removes the marks, and what nothing but a mark needs, or nothing at all: an
/// access must not vanish when it has been planned. Needs the accesses of \p T
/// collected. \returns false with \p No set if none of them is left.
bool dropDeadAccesses(TaskLoop &T, Refusal &No);

/// Marks \p Pointer as one to remote memory where \p B stands.
void markRemote(llvm::IRBuilderBase &B, llvm::Value *Pointer);

/// Writes down that a clause of \p Kind names \p Pointer.
void markPromised(llvm::IRBuilderBase &B, llvm::Value *Pointer, unsigned Kind);

/// Marks the remote accesses of \p T again, and what clauses promise of them.
void markAgain(const TaskLoop &T);

} // namespace asyncmem

#endif
