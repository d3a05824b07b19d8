// SPDX-License-Identifier: Apache-2.0
// Whether an atomic operation may change what decides about the next iteration is a matter of its address, not of its
// order: iterations have none. A fence has no address.
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem -Rpass-missed=asyncmem 2>&1 | FileCheck %s
#include "asyncmem.h"

// CHECK-DAG: atomic_order.c:[[#@LINE+2]]:9: remark: loop split into tasks: 16 tasks
void push(uint64_t *restrict sums, const uint64_t *restrict values, const uint32_t *restrict first, const uint32_t *restrict edges, unsigned n) {
#pragma asyncmem num_task(16)
  for (unsigned v = 0; v < n; ++v) {
    __builtin_is_remote(sums);
    for (uint32_t e = first[v]; e != first[v + 1]; ++e)
      __atomic_fetch_add(&sums[edges[e]], values[v], __ATOMIC_SEQ_CST);
  }
}

// CHECK-DAG: atomic_order.c:[[#@LINE+2]]:9: warning: loop left serial: whether it ends is read from memory that the loop may write (line [[#@LINE+3]], column
void fenced(const uint64_t *restrict a, uint64_t *restrict out, const uint64_t *next) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; next[i]; ++i) {
    __builtin_is_remote(a);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    out[i] = a[next[i]];
  }
}

// CHECK-DAG: atomic_order.c:[[#@LINE+2]]:9: remark: loop stays as it is: it only stores to remote memory
void scatter(uint64_t *out, const uint32_t *order, unsigned n) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < n; ++i) {
    __builtin_is_remote(out);
    out[order[i]] = i;
  }
}
