// SPDX-License-Identifier: Apache-2.0
// Program slices of one iteration: what must be computed, in program order, to
// know the next iteration's sequential values and whether there is one.
//
// Algorithm: operands are followed back to the header's phis. A phi inside the iteration
// needs its branches, an instruction those that control its block, and one that must not
// run at random the checks in front of it, if they need no remote data. An operation with
// effects, or a load of what the loop may write, has no slice.
//
//   for (i = 0; i < n; i += s[i]) ...   the slice is s[i], the sum and the comparison

#ifndef ASYNCMEM_SLICE_H
#define ASYNCMEM_SLICE_H

#include "analysis/IterationGraph.h"
#include <memory>

namespace asyncmem {

/// Collects the instructions, branches included, that compute some values.
class Slicer {
public:
  /// \p Strict allows neither control flow nor remote loads.
  Slicer(const TaskLoop &T, const IterationGraph &Graph, llvm::AAResults &AA,
         const llvm::SmallPtrSetImpl<llvm::PHINode *> &Sequential, bool Strict);

  llvm::SmallPtrSet<llvm::Instruction *, 16> Instructions;
  /// The instruction looked at last: what prevents it, after a failure.
  llvm::Instruction *Culprit = nullptr;

  /// Of what add() and addExits() returned last: what would help, or nothing.
  const char *Hint = "";

  /// \returns null if \p V can be computed at launch, else what prevents it.
  const char *add(llvm::Value *V);

  /// Adds what decides whether and how the loop is left.
  const char *addExits();

private:
  const TaskLoop &T;
  const IterationGraph &Graph;
  llvm::AAResults &AA;
  const llvm::SmallPtrSetImpl<llvm::PHINode *> &Sequential;
  bool Strict;
  /// No remote loads: what is added may only help.
  bool LocalOnly = false;
  /// Blocks in which the program may end.
  llvm::SmallVector<llvm::BasicBlock *, 4> Checks;
  /// Alias scopes that an iteration declares anew.
  AliasScopes Declared;
  /// Blocks of checks that have been added, or cannot be.
  std::shared_ptr<llvm::SmallPtrSet<const llvm::BasicBlock *, 4>> Tried =
      std::make_shared<llvm::SmallPtrSet<const llvm::BasicBlock *, 4>>();

  void addChecks(const llvm::Instruction &I);
  const char *addFatal(llvm::BasicBlock &BB);
  const char *addPhi(llvm::PHINode &Phi);
  const char *addTerminator(llvm::BasicBlock *BB);
  const char *addControl(const llvm::BasicBlock *BB);
  const char *checkEffects(llvm::Instruction &I);
  bool canBeRestrict(const llvm::Instruction &Writer,
                     const llvm::Instruction &Reader) const;
  bool isRepeated(const llvm::Instruction &I) const;
  bool mayChange(const llvm::Instruction &Writer,
                 const llvm::Instruction &Reader);
};

} // namespace asyncmem

#endif
