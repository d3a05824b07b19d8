// SPDX-License-Identifier: Apache-2.0
// What an iteration computes from a value, and whether its task may be suspended before
// it does so, or holds a lock meanwhile.
//
// Algorithm: the forward slice of a value is all that uses it, in registers; a write in
// it, or one that a branch in it controls, follows from the value, and through memory
// whatever a write of the slice may reach. Suspensions are remote accesses and locks:
// a search over instruction and "suspended yet" finds paths within the iteration that
// lead over one, or over none. A lock is held where all paths enter a block with it.
//
//   v = a[i]; r = *remote; a[i] = v + r;   a suspension lies between read and write of a

#ifndef ASYNCMEM_SUSPENSIONS_H
#define ASYNCMEM_SUSPENSIONS_H

#include "common/TaskLoop.h"

namespace asyncmem {

/// By which way one value may follow from another one.
enum class Flow { Registers, LocalMemory, AnyMemory };

/// What an iteration computes from one value.
class ForwardSlice {
public:
  ForwardSlice(const TaskLoop &T, const llvm::Instruction &Start);

  /// \returns true if a result of the value may be used after the value was computed
  /// anew in the same iteration, as a phi may keep it.
  bool outlivesNext() const;

  /// \returns true if what \p Write writes, or whether it runs, may follow
  /// from the value in registers, or through such memory.
  bool mayDecide(const llvm::Instruction &Write, Flow Through) const;

  /// \returns true if the value is handed to a later iteration of the inner loop
  /// that begins at \p Header, and there \p User may follow from it, in registers.
  bool mayReachLater(const llvm::Instruction &User,
                     const llvm::BasicBlock &Header) const;

private:
  const TaskLoop &T;
  const llvm::Instruction &Start;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> Set;

  bool mayPassMemory(const llvm::Instruction &Write, bool Remote) const;
};

/// Which instructions of an iteration can follow a remote access or a lock of it,
/// where its task waits and others run.
class Suspensions {
public:
  explicit Suspensions(const TaskLoop &T);

  /// \returns true if \p I may run after its task was suspended.
  bool mayPrecede(const llvm::Instruction &I) const;

  /// \returns true if \p To, which writes, may use what \p From read before a
  /// suspension.
  bool lieBetween(const llvm::Instruction &From, const llvm::Instruction &To,
                  Flow Through) const;

  /// \returns true if \p To may come behind \p From in one iteration, with a
  /// suspension between.
  bool separate(const llvm::Instruction &From,
                const llvm::Instruction &To) const;

  /// \returns true if it may without one.
  bool join(const llvm::Instruction &From, const llvm::Instruction &To) const;

private:
  const TaskLoop &T;
  /// Blocks that begin after a suspension.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Late;

  /// \returns true if the task may wait at \p I.
  bool suspends(const llvm::Instruction &I) const;
  bool mayUse(const llvm::Instruction &From, const llvm::Instruction &To,
              Flow Through) const;
  bool leads(const llvm::Instruction *From, const llvm::Instruction *To,
             bool Once, bool Over) const;
};

/// Instructions that run only while their task holds a lock of the program.
class LockRegions {
public:
  explicit LockRegions(const TaskLoop &T);
  bool protects(const llvm::Instruction &I) const;

private:
  /// Blocks that every path of an iteration enters with a lock held.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> HeldAtStart;
};

} // namespace asyncmem

#endif
