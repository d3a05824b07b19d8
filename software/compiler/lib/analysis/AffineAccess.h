// SPDX-License-Identifier: Apache-2.0
// Places that an access reaches in each iteration of a loop, and whether two
// accesses meet in different iterations. Only what is certain counts: an
// address that is no linear function of the iteration has no answer.
//
// Algorithm: an address is taken apart into Base + k * Step in iteration k, and what inner
// loops add: a range if they leave no gaps, else strides. Two of them meet if the known
// distance of their bases lies between multiples of the steps by less than the bytes:
// with equal steps one division tells, else the first 4,096 iterations are tried.
// An access differs in each iteration if its step is no less than all that inner loops
// add and its bytes.
//
//   y[2 * i] and y[i + 4], 8 bytes each: 16 * k = 8 * m + 32, so iterations 3 and 2 meet

#ifndef ASYNCMEM_AFFINEACCESS_H
#define ASYNCMEM_AFFINEACCESS_H

#include <cstdint>
#include <optional>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

/// In iteration k the bytes [Base + k * Step + Low, Base + k * Step + High), for
/// all k or, where a counter of fewer bits may wrap around then, k < Trips; and the same
/// Stride bytes further, Count times in all, as an inner loop reaches a column.
struct AffineAccess {
  const llvm::SCEV *Base;
  int64_t Step;
  int64_t Low;
  int64_t High;
  uint64_t Trips = 0;
  int64_t Stride = 0;
  int64_t Count = 1;
};

/// \returns where the \p Bytes at \p Address are in each iteration of \p L.
std::optional<AffineAccess> affineAccess(const llvm::SCEV *Address,
                                         uint64_t Bytes, const llvm::Loop &L,
                                         llvm::ScalarEvolution &SE);

/// \returns true if A in one iteration of \p L and B in another one touch the
/// same byte, provided that there are enough iterations, at most \p MaxTrips
/// (0: unknown).
bool meetAcrossIterations(const AffineAccess &A, const AffineAccess &B,
                          uint64_t MaxTrips, const llvm::Loop &L,
                          llvm::ScalarEvolution &SE);

/// \returns true if the \p Bytes at \p Address are surely others in each
/// iteration of \p L, also when inner loops move over them. A promise of the
/// program does not count.
bool differsAcrossIterations(const llvm::SCEV *Address, uint64_t Bytes,
                             const llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace asyncmem

#endif
