// SPDX-License-Identifier: Apache-2.0
// Whether two accesses of one iteration may reach the same bytes. Optimisation
// joins the addresses of accesses, and what they are computed from, where paths
// meet: each of them counts.
//
// Algorithm: a pointer is taken apart into the choices that phis and selects make in one
// iteration. Two choices overlap if their constant distance says so; without one, if
// the same operations compute both, up to 6 operations deep, behind constant offsets.
// Iterations stay apart if the address advances by more than both accesses span.
//
//   x[k[i]] and x[k[i]] + 1: two loads of k[i], the same operations; they overlap

#ifndef ASYNCMEM_OVERLAP_H
#define ASYNCMEM_OVERLAP_H

#include "llvm/ADT/SetVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace asyncmem {

/// Some bytes at a pointer.
struct Place {
  llvm::Value *Pointer;
  int64_t Bytes;
};

/// \returns true if A and B may be computed to the same value by the same
/// operations. Loads from one place count as equal: what lies between them
/// seldom changes it.
bool mayBeEqual(const llvm::Value *A, const llvm::Value *B);

/// \returns true if A and B are at a known distance from each other, whichever
/// way an iteration goes. Loads count as in mayBeEqual().
bool haveFixedDistance(llvm::Value *A, llvm::Value *B,
                       llvm::ScalarEvolution &SE);

/// \returns what \p Pointer may be where paths of one iteration of \p L, or of a
/// loop in it, join.
llvm::SmallSetVector<llvm::Value *, 4> choices(llvm::Value *Pointer,
                                               const llvm::Loop &L);

/// One of the choices for a pointer.
struct AddressChoice {
  llvm::Value *Pointer;
  /// With one choice for joined indices, too. Where a counter decides no choice is
  /// certain in every iteration: then it is what they are joined to.
  const llvm::SCEV *Address;
};

llvm::SmallVector<AddressChoice, 4> addressChoices(llvm::Value *Pointer,
                                                   const llvm::Loop &L,
                                                   llvm::ScalarEvolution &SE);

/// \returns true if A and B may share a byte in one iteration of \p L.
bool mayOverlap(const Place &A, const Place &B, const llvm::Loop &L,
                llvm::ScalarEvolution &SE);

/// \returns true if they do at a constant distance; else the same operations may
/// be those of different iterations of an inner loop.
bool overlapByDistance(const Place &A, const Place &B, const llvm::Loop &L,
                       llvm::ScalarEvolution &SE);

/// \returns true if an iteration of \p L may reach at B bytes that another one
/// reaches at A, for all that their addresses say. Pointers from different
/// variables are taken to reach different objects.
bool mayMeetElsewhere(const Place &A, const Place &B, const llvm::Loop &L,
                      llvm::ScalarEvolution &SE);

/// \returns the header of the loop in \p L in which both advance so that B in a
/// later iteration of it shares a byte with A in an earlier one, or null.
const llvm::BasicBlock *overlapLater(const Place &A, const Place &B,
                                     const llvm::Loop &L,
                                     llvm::ScalarEvolution &SE);

} // namespace asyncmem

#endif
