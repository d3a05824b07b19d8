// SPDX-License-Identifier: Apache-2.0
// Recursive callees: what is said of those that run inside the tasks, and why others do not.
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem -Rpass-missed=asyncmem 2>&1 | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck --check-prefix=AMU %s
// RUN: %clang %plugin -fplugin-arg-asyncmem-levels=3 -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck --check-prefix=LEVELS %s
// RUN: not %clang %plugin -fplugin-arg-asyncmem-levels=0 -O2 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=OPTION %s
#include "asyncmem.h"
#include <stdarg.h>

// OPTION: error: asyncmem: levels=0 is not a number from 1 to 1024

struct tree {
  uint64_t key;
  struct tree *left, *right;
};

uint64_t sum(const struct tree *n) {
  return n ? n->key ^ (sum(n->left) * 3 + sum(n->right)) : 0;
}
// CHECK-DAG: :[[#@LINE+8]]:14: remark: recursive callee 'sum' runs inside the tasks: 64 levels of [[#]] bytes each, the plain function behind them [-Rpass=asyncmem]
// CHECK-DAG: remark: loop split into tasks
// LEVELS: remark: recursive callee 'sum' runs inside the tasks: 3 levels of
uint64_t sums(const struct tree *n, uint64_t count) {
  uint64_t total = 0;
#pragma asyncmem num_task(4) reduction(+ : total)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(n);
    total += sum(n);
  }
  return total;
}

// The variable's place would be another one after a suspension.
uint64_t collect(const struct tree *n, uint64_t *out) {
  uint64_t below[2] = {0, 0};
  if (!n)
    return 1;
  out[0] += collect(n->left, below) + below[0];
  out[1] += collect(n->right, below) ^ below[1];
  return below[0] * n->key;
}
// CHECK-DAG: warning: loop left serial: it calls 'collect', which is recursive: the address of a variable of it is used where it cannot follow the task; write it as a loop (line [[#@LINE+5]], column 5) [-Wpass-failed]
void collects(const struct tree *n, uint64_t *out, uint64_t count) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(n);
    collect(n, out + 2 * i);
  }
}

uint64_t variadic(const struct tree *n, ...) {
  va_list args;
  va_start(args, n);
  uint64_t first = va_arg(args, uint64_t);
  va_end(args);
  return n ? variadic(n->left, first + 1) * variadic(n->right, first) : first;
}
// CHECK-DAG: loop left serial: it calls 'variadic', which is recursive: it takes a variable number of arguments
uint64_t variadics(const struct tree *n, uint64_t count) {
  uint64_t total = 0;
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(n);
    total += variadic(n, i);
  }
  return total;
}

void guarded(struct tree *n, uint64_t *word) {
  if (!n)
    return;
  guarded(n->left, word);
  asyncmem_lock(word);
  ++n->key;
  asyncmem_unlock(word);
  guarded(n->right, word);
}
// CHECK-DAG: loop left serial: it calls 'guarded', which is recursive: it takes locks
void locks(struct tree *n, uint64_t *word, uint64_t count) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(n);
    guarded(n, word);
  }
}

// Prefetching tasks run the operation itself; those of the AMU take it apart.
void counted(struct tree *n) {
  if (!n)
    return;
  counted(n->left);
  __atomic_fetch_add(&n->key, 1, __ATOMIC_RELAXED);
  counted(n->right);
}
// CHECK-DAG: remark: recursive callee 'counted' runs inside the tasks
// AMU: loop left serial: it calls 'counted', which is recursive: it contains atomic operations, which are not atomic against tasks of the AMU at its depth limit
void atomics(struct tree *n, uint64_t count) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(n);
    counted(n);
  }
}

// CHECK-DAG: loop left serial: it calls 'again', which is recursive: it calls the function of the loop
void again(struct tree *n, uint64_t count) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(n);
    n[i].key += 1;
    if (n[i].left)
      again(n[i].left, count / 2);
  }
}
