// SPDX-License-Identifier: Apache-2.0
// Variables in memory whose place is another one in each task or each level of
// a recursion: no address in them may be kept anywhere.

#ifndef ASYNCMEM_PRIVATEMEMORY_H
#define ASYNCMEM_PRIVATEMEMORY_H

namespace llvm {
class AllocaInst;
class Instruction;
class Loop;
class Use;
class Value;
} // namespace llvm

namespace asyncmem {

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
