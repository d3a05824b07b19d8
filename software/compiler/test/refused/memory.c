// SPDX-License-Identifier: Apache-2.0
// Loops refused for what iterations do to memory.
// RUN: %same_as_off %s %t
#include "refused.h"

uint64_t flow(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: an iteration reads what another one writes, the order of iterations would show
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 1; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] += a[i - 1];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t overlapping_writes(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: iterations write the same place in memory, the order of iterations would show
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] = 1;
    a[i + 2] = 2;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t last;
uint64_t same_place(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: every iteration writes the same variable, the order of iterations would show; name it in private() or update it by a commutative operation
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1)
      last = (uint64_t)i;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t stale(uint64_t *a, uint64_t *counts, int n) {
  OUTSIDE
  // REFUSED: a local variable is read before and written after a remote access, other iterations may change it between
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t old = counts[i % 7];
    counts[i % 7] = old / (a[i] | 1);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}
