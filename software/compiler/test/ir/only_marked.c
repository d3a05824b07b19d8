// SPDX-License-Identifier: Apache-2.0
// An access whose result nothing but a mark needs is none. (Reduced from seed 4981: the compiler crashed.)
// RUN: %clang %plugin -O2 -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

// CHECK: loop split into tasks: {{.*}} 1 suspensions for 1 remote accesses in 1 requests
uint64_t sum(uint64_t *a, uint64_t **p, const int *at, int n) {
  uint64_t total = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(p);
    __builtin_is_remote(p[at[i]]);
    total += a[at[i]];
  }
  return total;
}
