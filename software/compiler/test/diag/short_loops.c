// SPDX-License-Identifier: Apache-2.0
// A loop whose iterations the core overlaps by itself is left alone, unless somebody asks for tasks, or to check it.
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass=asyncmem -Rpass-missed=asyncmem 2>&1 | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass=asyncmem -fplugin-arg-asyncmem-adapt=off 2>&1 | FileCheck --check-prefix=TASKS %s
// RUN: %clang %plugin %sched=check -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck --check-prefix=CHECKED %s
#include "asyncmem.h"

// QUIET-NOT: warning

// CHECK: :[[#@LINE+4]]:9: remark: loop stays as it is: its 4 iterations are so short that the core overlaps them by itself
// TASKS: :[[#@LINE+3]]:9: remark: loop split into tasks
// CHECKED: :[[#@LINE+2]]:9: remark: loop left serial, the program checks
void four(uint64_t *a, const uint32_t *at) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < 4; ++i) {
    __builtin_is_remote(a);
    a[at[i]] = 1;
  }
}

// CHECK: :[[#@LINE+2]]:9: remark: loop split into tasks
void forty(uint64_t *a, const uint32_t *at) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < 40; ++i) {
    __builtin_is_remote(a);
    a[at[i]] = 1;
  }
}

// An inner loop may be long.
// CHECK: :[[#@LINE+2]]:9: remark: loop split into tasks
void rows(uint64_t *a, const uint32_t *at, uint64_t n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < 2; ++i)
    for (uint64_t j = 0; j < n; ++j) {
      __builtin_is_remote(a);
      a[at[i * n + j]] = 1;
    }
}

// CHECK: :[[#@LINE+2]]:9: remark: loop split into tasks
void atomic(uint64_t *a, const uint32_t *at) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < 4; ++i) {
    __builtin_is_remote(a);
    __atomic_fetch_add(&a[at[i]], 1, __ATOMIC_RELAXED);
  }
}

struct block {
  uint64_t words[32];
};

// CHECK: :[[#@LINE+2]]:9: remark: loop split into tasks
void blocks(struct block *restrict to, const struct block *restrict from, const uint32_t *at) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < 4; ++i) {
    __builtin_is_remote(from);
    to[i] = from[at[i]];
  }
}

// One copy is short, the other one not: both are what the longer one needs.
static inline void upto(uint64_t *a, const uint32_t *at, uint64_t n) {
// CHECK: :[[#@LINE+1]]:9: remark: loop split into tasks
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[at[i]] = 1;
  }
}

void copies(uint64_t *a, const uint32_t *at, uint64_t n) {
  upto(a, at, 3);
  upto(a, at, n);
}
