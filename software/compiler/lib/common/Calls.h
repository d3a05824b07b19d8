// SPDX-License-Identifier: Apache-2.0
// Calls that mean something to the compiler: of the functions in Names.h, and those that end the program.

#ifndef ASYNCMEM_CALLS_H
#define ASYNCMEM_CALLS_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class BasicBlock;
class Instruction;
class Value;
} // namespace llvm

namespace asyncmem {

/// \returns true if \p I is a direct call of the function \p Name.
bool callsFunction(const llvm::Instruction &I, llvm::StringRef Name);

/// \returns true if \p I only says something about a pointer.
bool isMark(const llvm::Instruction &I);

/// \returns true if \p I is a call of asyncmem_lock, at which a task may wait,
/// or of asyncmem_unlock.
bool isLock(const llvm::Instruction &I);
bool isUnlock(const llvm::Instruction &I);

/// \returns true if \p I takes memory from the heap or gives it back: tasks may
/// do so in any order.
bool isHeapCall(const llvm::Instruction &I);

/// \returns true if \p I is memcmp or bcmp of the C library: of two places, so
/// many bytes.
bool isCompare(const llvm::Instruction &I);

/// What strlen, strcmp and the like read: one string to its end, or two as far as
/// they are alike.
struct StringRead {
  llvm::Value *String, *Other = nullptr;
  /// Not more than so many bytes, if it is not null.
  llvm::Value *Most = nullptr;
};

/// \returns what \p I reads if it calls one of these functions of C.
std::optional<StringRead> stringRead(const llvm::Instruction &I);

/// \returns true if \p I calls a function of the compiler's runtime that multiplies
/// or divides complex numbers, or one by which the headers of NH-G's C library look
/// at a number; none of them reads or writes memory.
bool isArithmetic(const llvm::Instruction &I);

/// \returns true if \p I calls a function of math.h that does nothing else but set
/// errno.
bool maySetErrno(const llvm::Instruction &I);

/// \returns true if \p I ends the program and runs none of its code before.
bool isFatal(const llvm::Instruction &I);

/// \returns true if something in \p BB does.
bool endsFatally(const llvm::BasicBlock &BB);

} // namespace asyncmem

#endif
