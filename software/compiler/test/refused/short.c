// SPDX-License-Identifier: Apache-2.0
// Loops of a few short iterations, which the core overlaps by itself.
// RUN: %same_as_off %s %t
#include "refused.h"

uint64_t two(const uint64_t *a, const uint32_t *at) {
  OUTSIDE
  uint64_t sum = 0;
  // REFUSED: its 2 iterations are so short that the core overlaps them by itself
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < 2; ++i) {
    __builtin_is_remote(a);
    sum += a[at[i]];
    INSIDE((uint64_t)i)
  }
  return RESULT + sum;
}

uint64_t at_most_three(uint64_t *a, const uint32_t *at, unsigned n) {
  OUTSIDE
  // REFUSED: its 3 iterations
#pragma asyncmem num_task(4) CLAUSES
  for (unsigned i = 0; i < (n & 3); ++i) {
    __builtin_is_remote(a);
    if (a[at[i]] != i)
      a[at[i]] = i;
    k = i;
  }
  return RESULT;
}
