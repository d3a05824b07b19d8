// SPDX-License-Identifier: Apache-2.0
// Which pointers lead to remote memory, and which callees serve such memory by tasks.
//
// Algorithm: roots are the operands of __builtin_is_remote, every load from the same
// place as a marked load, and results of remote_alloc. A pointer is followed back over
// GEPs, casts, phis, selects and the levels of a recursive callee until a root or
// nothing more is found. One remote input of a phi is enough, as the nature of a pointer
// does not change while a program runs; the others are kept as objects without a mark.
//
//   __builtin_is_remote(p); q = c ? p + 1 : l; *q   is remote; l is an unmarked object

#ifndef ASYNCMEM_REMOTEPOINTERS_H
#define ASYNCMEM_REMOTEPOINTERS_H

#include "common/Names.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
class Function;
class LoadInst;
class Loop;
class MDNode;
class Value;
} // namespace llvm

namespace asyncmem {

class RemotePointers {
public:
  explicit RemotePointers(llvm::Function &F);

  /// Instead: what is computed in the same ways from the pointers that clauses
  /// of \p L, of one of \p Kinds, promise something about (PromisedFunction). Such
  /// a root is the pointer with its offsets, not all of the object.
  RemotePointers(const llvm::Loop &L, llvm::ArrayRef<ClauseKind> Kinds);

  bool isRemote(const llvm::Value *Pointer) const {
    return sources(Pointer).AnyRoot;
  }

  /// \returns the objects \p Pointer may be computed from that are no roots:
  /// the optimizer merges accesses of two places into one over a phi.
  llvm::SmallVector<const llvm::Value *, 2>
  unmarkedObjects(const llvm::Value *Pointer) const {
    return sources(Pointer).Unmarked;
  }

private:
  /// What a pointer may be computed from.
  struct Sources {
    bool AnyRoot = false;
    llvm::SmallVector<const llvm::Value *, 2> Unmarked;
  };

  /// Set if the roots are pointers that clauses of this loop promise something of.
  const llvm::Loop *Promising = nullptr;
  llvm::SmallPtrSet<const llvm::Value *, 16> Roots;
  llvm::SmallVector<const llvm::LoadInst *, 8> RootLoads;
  /// What is saved on the levels of a recursive callee, by tag.
  llvm::DenseMap<const llvm::MDNode *,
                 llvm::SmallVector<const llvm::Value *, 2>>
      SavedAs;

  void collectSaved(llvm::Function &F);
  void addRoot(const llvm::Value *V);
  llvm::ArrayRef<const llvm::Value *> savedValues(const llvm::Value *V) const;
  bool isRoot(const llvm::Value *V) const;
  bool isLoadedRoot(const llvm::Value *V) const;
  Sources sources(const llvm::Value *Pointer) const;
};

// Callees that would run tasks of their own while the tasks of a loop wait: the AMU
// serves one loop at a time.

/// \returns true if \p F, or what it calls in its module, uses the AMU, or has a
/// loop that may become tasks.
bool mayRunTasks(const llvm::Function &F);

/// The same of what \p Call calls: through a pointer any function whose address
/// is taken.
bool mayRunTasks(const llvm::CallBase &Call);

} // namespace asyncmem

#endif
