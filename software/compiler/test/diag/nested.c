// SPDX-License-Identifier: Apache-2.0
// If the outer marked loop is split, its tasks run the inner one, whose pragma changes nothing, or is refused if it has clauses. If not, it is as if the
// inner one stood alone.
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem -Rpass-missed=asyncmem 2>&1 | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass=asyncmem -Rpass-missed=asyncmem 2>&1 | FileCheck %s
// RUN: %clang %plugin %sched=check -O2 -c %s -o %t.o -Rpass-missed=asyncmem 2>&1 | FileCheck --check-prefix=CHECKED %s
#include "asyncmem.h"

void f(uint64_t *a, int n) {
// CHECK-DAG: :[[#@LINE+1]]:9: remark: loop split into tasks: 4 tasks
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
// CHECK-DAG: :[[#@LINE+2]]:9: remark: this pragma changes nothing: tasks of the marked loop around it run its loop as a whole
// CHECKED-DAG: :[[#@LINE+1]]:9: remark: this pragma changes nothing: tasks of the marked loop around it run its loop as a whole
#pragma asyncmem num_task(4)
    for (int j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      a[i * n + j] *= 3;
    }
  }
}

void has_clauses(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t sum = 0;
// CHECK-DAG: :[[#@LINE+2]]:9: warning: loop left serial: it is inside another marked loop, whose tasks run it
// CHECKED-DAG: :[[#@LINE+1]]:9: warning: loop left serial: it is inside another marked loop, whose tasks run it
#pragma asyncmem reduction(+ : sum)
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      sum += a[i * n + j];
    }
    a[i] = sum;
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
