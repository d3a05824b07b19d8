// SPDX-License-Identifier: Apache-2.0
// A loop that inlining has copied into another marked loop three times is refused there once.
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

static uint64_t sum(const uint32_t *a, int n) {
  uint64_t all = 0;
// CHECK: inlined_copies.c:[[#@LINE+2]]:9: warning: loop left serial: it is inside another marked loop, whose tasks run it
// CHECK-NOT: warning:
#pragma asyncmem num_task(5) reduction(+ : all)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    all += a[a[i & 1023] & 1023];
  }
  return all;
}

uint64_t total(const uint32_t *a) {
  uint64_t all = 0;
  for (int d = 0; d < 3; ++d)
#pragma asyncmem num_task(3)
    for (int i = d; i < 40; i += d + 1) {
      __builtin_is_remote(a);
      all += sum(a, a[i] & 15);
    }
  return all;
}
