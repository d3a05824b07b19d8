// SPDX-License-Identifier: Apache-2.0
// Without num_task: 64 tasks that prefetch; of the AMU as many as have IDs, and slots as large as with 64 if they have at most 256 bytes.
// RUN: %clang %plugin %riscv %sched=static %s -O2 -S -o /dev/null -Rpass=asyncmem 2>&1 | FileCheck --check-prefix=PREFETCH %s
// RUN: %clang %plugin %riscv %sched=bafin %s -O2 -S -o /dev/null -Rpass=asyncmem -Rpass-analysis=asyncmem 2>&1 | FileCheck --check-prefix=AMU %s
#include "asyncmem.h"

struct point {
  uint64_t x, y[20];
};

// PREFETCH: loop split into tasks: 64 tasks
// AMU: loop split into tasks: 511 tasks
void count(uint64_t *restrict table, const uint32_t *restrict where, int n) {
#pragma asyncmem lossy_update(table)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    table[where[i]]++;
  }
}

// PREFETCH: loop split into tasks: 64 tasks
// AMU: a task waits here: 1 remote accesses in 1 requests of 64 bytes together, kept
// AMU: loop split into tasks: 255 tasks
uint64_t sum(const struct point *points, const uint32_t *restrict where, int n) {
  uint64_t total = 0;
#pragma asyncmem reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    const struct point *p = &points[where[i]];
    __builtin_is_remote(p);
    total += p->x;
    if (p->x & 1)
      total += p->y[5];
  }
  return total;
}
