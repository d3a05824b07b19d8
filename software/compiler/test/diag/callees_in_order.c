// SPDX-License-Identifier: Apache-2.0
// Loops are split in the order of calls, not that of the source: a callee's own marked loop, or a copy of one, is no reason to refuse
// that of its caller, nor do the compiler's own calls show.
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s --check-prefix=TASKS
// RUN: %clang %plugin %sched=check -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
#include "asyncmem.h"

// TASKS-NOT: warning:
// CHECK-NOT: unknown

__attribute__((noinline)) void fill(uint64_t *a, const uint64_t *x, const uint64_t *k, uint64_t value, int n) {
// CHECK-DAG: :[[#@LINE+1]]:9: remark: loop left serial, the program checks what the pragma promises: {{[1-9]}}
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    a[k[i]] = x[k[i]] + value;
  }
}

void f(uint64_t *a, const uint64_t *x, const uint64_t *k, int n) {
// TASKS-DAG: :[[#@LINE+2]]:9: remark: loop split into tasks: 4 tasks
// CHECK-DAG: :[[#@LINE+1]]:9: remark: loop left serial, the program checks what the pragma promises: {{[1-9]}}
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    fill(a + k[i], x, k, x[k[i]], n);
  }
}

// Behind the levels of a task it is called.
__attribute__((noinline)) static uint64_t descend(uint64_t *a, const uint64_t *x, const uint64_t *k, int depth) {
  if (depth == 0)
    return 1;
#pragma asyncmem num_task(4)
  for (int i = 0; i < 4; ++i) {
    __builtin_is_remote(x);
    a[k[i]] = x[k[i]];
  }
  return descend(a, x, k, depth - 1) * 3 + descend(a + 1, x, k, depth - 1);
}

void g(uint64_t *a, const uint64_t *x, const uint64_t *k, int n) {
// CHECK-DAG: :[[#@LINE+1]]:9: remark: loop left serial, the program checks what the pragma promises: {{[1-9]}}
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    a[i] = descend(a + k[i], x, k, n) + x[k[i]];
  }
}

// TASKS-NOT: warning:
// CHECK-NOT: unknown
