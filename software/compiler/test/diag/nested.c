// SPDX-License-Identifier: Apache-2.0
// If the outer marked loop is split, the inner one is part of its tasks (those of the AMU share it, nested_amu.c); if not, it is as if
// the inner one stood alone.
// RUN: %clang %plugin %near=none -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
#include "asyncmem.h"

void f(uint64_t *a, int n) {
// CHECK-DAG: :[[#@LINE+1]]:9: remark: loop split into tasks: 4 tasks, {{[0-9]+}} bytes of context each, 1 suspensions for 1 remote accesses in 1 requests (0 coalesced), {{[0-9]+}} private, 0 shared and {{[0-9]+}} sequential values, scheduler static
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
#pragma asyncmem num_task(4)
    for (int j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      a[i * n + j] *= 3;
    }
  }
}

void unknown(int);
void g(uint64_t *a, int n) {
// CHECK-DAG: :[[#@LINE+1]]:9: warning: loop left serial: it calls 'unknown'
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    unknown(i);
// CHECK-DAG: :[[#@LINE+1]]:9: remark: loop split into tasks
#pragma asyncmem num_task(4)
    for (int j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      a[i * n + j] *= 3;
    }
  }
}
