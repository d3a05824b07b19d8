// SPDX-License-Identifier: Apache-2.0
// A scheduler that the target has no AMU for.
// CONFIGURATIONS: getfin on x86
// RUN: %same_as_off %s %t
#include "refused.h"

uint64_t updates(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: the getfin and bafin schedulers need the target riscv64; use -fplugin-arg-asyncmem-sched=static
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] *= 3;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}
