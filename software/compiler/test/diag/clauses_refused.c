// SPDX-License-Identifier: Apache-2.0
// Clauses that cannot be honoured, and a shared variable whose update a
// suspension takes apart.
// RUN: %clang %plugin -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

// CHECK: :[[#@LINE+3]]:9: warning: loop left serial: a lastprivate() variable is not assigned on every path through an iteration; assign it on every path
uint64_t sometimes(uint64_t *a, int n) {
  uint64_t x = 0;
#pragma asyncmem num_task(4) lastprivate(x)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1)
      x = a[i];
  }
  return x;
}
// CHECK: warning: loop left serial: 'best' is read before and written after a remote access
uint64_t taken_apart(uint64_t *a, int n) {
  uint64_t best = 0;
#pragma asyncmem num_task(4) shared_var(best)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t old = best;
    best = old / (a[old % 64 + (uint64_t)i] | 1);
  }
  return best;
}
