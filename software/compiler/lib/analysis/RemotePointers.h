// SPDX-License-Identifier: Apache-2.0
// Which pointers lead to remote memory.
//
// Algorithm: roots are the operands of __builtin_is_remote, every load from the same
// place as a marked load, results of remote_alloc, and pointers loaded from remote
// memory unless __builtin_is_near names them. A pointer is followed back over GEPs,
// casts, phis, selects and the levels of a recursive callee until a root or nothing more
// is found. One remote input of a phi is enough, as the nature of a pointer does not
// change while a program runs; the others are kept as objects without a mark. In a loop
// without a mark an address that differs from iteration to iteration is remote, unless
// its object is known to be local.
//
//   __builtin_is_remote(p); q = c ? p->next : l; *q   is remote; l is an unmarked object

#ifndef ASYNCMEM_REMOTEPOINTERS_H
#define ASYNCMEM_REMOTEPOINTERS_H

#include "common/Names.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
class Instruction;
class LoadInst;
class Loop;
class MDNode;
class Value;
} // namespace llvm

namespace asyncmem {

using ValueSet = llvm::SmallPtrSet<const llvm::Value *, 32>;

/// \returns the values of \p L that may be others in another iteration
/// (VaryingValues.cpp).
ValueSet varyingValues(const llvm::Loop &L);

class RemotePointers {
public:
  /// By the marks of the function of \p L; without any, by the rule for such loops.
  explicit RemotePointers(const llvm::Loop &L);

  /// Instead: what is computed in the same ways from the pointers that clauses
  /// of \p L, of one of \p Kinds, promise something about (PromisedFunction). Such
  /// a root is the pointer with its offsets, not all of the object.
  RemotePointers(const llvm::Loop &L, llvm::ArrayRef<ClauseKind> Kinds);

  bool isRemote(const llvm::Value *Pointer) const;

  /// \returns why \p Pointer is remote or is not, as the user is told.
  std::string reason(const llvm::Value *Pointer) const;

  /// \returns true if nothing says whether what \p Pointer points into is local.
  bool isUnknown(const llvm::Value *Pointer) const;

  /// \returns true if the loop has no mark.
  bool areUnmarked() const { return Varying.has_value(); }

  /// \returns the objects \p Pointer, a remote one, may be computed from that are no
  /// roots: the optimizer merges accesses of two places into one over a phi.
  llvm::SmallVector<const llvm::Value *, 2>
  unmarkedObjects(const llvm::Value *Pointer) const;

private:
  /// What a pointer may be computed from.
  struct Sources {
    const llvm::Value *Root = nullptr;
    llvm::SmallVector<const llvm::Value *, 2> Unmarked;
  };

  /// Set if the roots are pointers that clauses of this loop promise something of.
  const llvm::Loop *Promising = nullptr;
  /// Each with the call that marks it or makes it, null if it follows from others.
  llvm::DenseMap<const llvm::Value *, const llvm::Instruction *> Roots;
  llvm::SmallVector<const llvm::LoadInst *, 8> RootLoads;
  /// What marks say to be near.
  llvm::SmallPtrSet<const llvm::Value *, 4> Near;
  /// Pointers that come out of remote memory.
  llvm::SmallPtrSet<const llvm::Value *, 16> Loaded;
  /// If the loop has no mark.
  std::optional<ValueSet> Varying;
  /// What is saved on the levels of a recursive callee, by tag.
  llvm::DenseMap<const llvm::MDNode *,
                 llvm::SmallVector<const llvm::Value *, 2>>
      SavedAs;

  void collectSaved(llvm::Function &F);
  void addRoot(const llvm::Value *V, const llvm::Instruction *Mark);
  void addNear(const llvm::Value *V);
  void followLoads(llvm::Function &F);
  void addMeetingUpdates(const llvm::Loop &L);
  llvm::ArrayRef<const llvm::Value *> savedValues(const llvm::Value *V) const;
  bool isRoot(const llvm::Value *V) const;
  bool isLoadedRoot(const llvm::Value *V) const;
  bool isKnownNear(const llvm::Value *Object) const;
  Sources sources(const llvm::Value *Pointer) const;
};

} // namespace asyncmem

#endif
