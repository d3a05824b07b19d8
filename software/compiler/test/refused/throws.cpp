// SPDX-License-Identifier: Apache-2.0
// Exceptions, and a loop with a copy that is refused and one that is not.
// RUN: %same_as_off %s %t
#include "refused.h"

extern "C" {
void may_throw(uint64_t value);

uint64_t throwing(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it calls 'may_throw', which may throw
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    may_throw(a[i]);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}
}
