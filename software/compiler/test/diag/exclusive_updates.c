// SPDX-License-Identifier: Apache-2.0
// Updates of remote words that cannot be made exclusive, and what is said of those that are.
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass-analysis=asyncmem 2>&1 | FileCheck %s
#include "asyncmem.h"

// CHECK-DAG: :[[#@LINE+5]]:12: remark: iterations may update the same remote word here: tasks take a lock of its address; name the pointer in distinct_update() if they never do, in lossy_update() if updates may get lost [-Rpass-analysis=asyncmem]
void count(uint64_t *x, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    x[k[i]]++;
  }
}

// CHECK-DAG: :[[#@LINE+2]]:9: warning: loop left serial: updates of a remote word may meet those of other iterations, and two such updates, or one and a lock, are interleaved; make them atomic, or name the pointer in distinct_update() or lossy_update() (line [[#@LINE+7]], column
void interleaved(uint64_t *x, uint64_t *y, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    uint64_t a = x[k[i]];
    uint64_t b = y[k[i] & 7];
    x[k[i]] = a + b;
    y[k[i] & 7] = b ^ a;
  }
}

// CHECK-DAG: :[[#@LINE+2]]:9: warning: loop left serial: updates of a remote word may meet those of other iterations, and two such updates, or one and a lock, are interleaved;
void lock_inside(uint64_t *x, uint64_t *local, uint64_t *lock, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    uint64_t a = x[k[i]];
    asyncmem_lock(lock);
    *local = *local * 3 + a;
    asyncmem_unlock(lock);
    x[k[i]] = a + 1;
  }
}

// CHECK-DAG: :[[#@LINE+2]]:9: warning: loop left serial: updates of a remote word may meet those of other iterations, and not every path leads from one load to one store;
void some_paths(uint64_t *x, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    uint64_t a = i;
    if (k[i] & 1)
      a = x[k[i]] * 3;
    x[k[i]] = a + 1;
  }
}

void increment(uint64_t *x, uint64_t depth) {
  if (!depth)
    return;
  increment(x + 3, depth - 1);
  ++x[depth];
  increment(x + 5, depth - 1);
}
// CHECK-DAG: :[[#@LINE+2]]:9: warning: loop left serial: updates of a remote word may meet those of other iterations, and a recursive callee makes them without suspension at its depth limit;
void recursion(uint64_t *x, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    increment(x, i & 3);
  }
}

// CHECK-DAG: :[[#@LINE+2]]:9: warning: loop left serial: lossy_update() or distinct_update() names something that is not a variable
void no_variable(uint64_t *const *x, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4) lossy_update(x[1])
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x[1]);
    x[1][k[i]]++;
  }
}
