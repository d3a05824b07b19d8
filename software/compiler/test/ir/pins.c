// SPDX-License-Identifier: Apache-2.0
// A loop that loses its tag is split nevertheless, at each level of optimisation; a loop in one piece with several ways back is one loop. Nothing of
// the pins is left in the code, whether the loop is split or refused.
// RUN: %clang %plugin -O1 -S -emit-llvm %s -o %t.ll -Rpass=asyncmem 2>&1 | FileCheck %s
// RUN: not grep __asyncmem_pin %t.ll
// RUN: %clang %plugin -O2 -S -emit-llvm %s -o %t.ll -Rpass=asyncmem 2>&1 | FileCheck %s
// RUN: not grep __asyncmem_pin %t.ll
// RUN: %clang %plugin -O3 -S -emit-llvm %s -o %t.ll -Rpass=asyncmem 2>&1 | FileCheck %s
// RUN: not grep __asyncmem_pin %t.ll
// RUN: %clang %plugin -Os -S -emit-llvm %s -o %t.ll -Rpass=asyncmem 2>&1 | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S -emit-llvm %s -o %t.ll -Rpass=asyncmem 2>&1 | FileCheck %s
// RUN: not grep __asyncmem_pin %t.ll
#include "asyncmem.h"

// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks
uint64_t middle_exit(uint64_t *a, const uint64_t *order) {
  uint64_t sum = 0, i = 0;
#pragma asyncmem num_task(8)
  for (;;) {
    __builtin_is_remote(a);
    uint64_t at = order[i++];
    if (at == ~0ull)
      break;
    sum += a[at];
  }
  return sum;
}
// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks
uint64_t sentinel(uint64_t *a, uint64_t at, const uint64_t *next) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  while (at != ~0ull) {
    __builtin_is_remote(a);
    if (a[at] & 1)
      sum += at;
    at = next[at] ? next[at] : ~0ull;
  }
  return sum;
}
// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks
uint64_t passes_over(uint64_t *a, const uint64_t *order, uint64_t n) {
  uint64_t sum = 0, i = 0;
#pragma asyncmem num_task(8)
  for (;;) {
    __builtin_is_remote(a);
    if (i == n)
      break;
    uint64_t at = order[i++];
    if (at == ~0ull)
      continue;
    sum += a[at];
    if (at == 5)
      break;
  }
  return sum;
}
// The remote access is in the inner of the loops that it looks like: each of that one's iterations is a task.
// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks
uint64_t moves_seldom(uint64_t *a, const uint64_t *restrict order, uint64_t n) {
  uint64_t sum = 0, i = 0, base = 0;
#pragma asyncmem num_task(8)
  for (;;) {
    __builtin_is_remote(a);
    if (i == n)
      break;
    uint64_t at = order[i++];
    if (at != ~0ull) {
      sum += a[at + base];
      continue;
    }
    base += order[i];
    if (base == 5)
      break;
  }
  return sum;
}
// A continue behind which nothing is left to do is a way back of its own.
// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks
uint64_t continues(uint64_t *a, const uint64_t *order, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = n; i-- > 0;) {
    __builtin_is_remote(a);
    uint64_t at = order[i];
    if (at & 7)
      continue;
    sum += a[at];
  }
  return sum;
}
// The functions that it becomes part of lose its tag.
// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks
static inline uint64_t up_to(uint64_t *a, const uint64_t *order, uint64_t end) {
  uint64_t sum = 0, i = 0;
#pragma asyncmem num_task(8)
  for (;;) {
    __builtin_is_remote(a);
    uint64_t at = order[i++];
    if (at == end)
      break;
    sum += a[at];
  }
  return sum;
}
uint64_t up_to_three(uint64_t *a, const uint64_t *order) {
  return up_to(a, order, 3);
}
uint64_t up_to_end(uint64_t *a, const uint64_t *order) {
  return up_to(a, order, ~0ull);
}
// The reason is the loop's, not that of the search for it.
// CHECK-DAG: [[#@LINE+3]]:9: warning: loop left serial: the value of 'sum' carried from one iteration to the next
uint64_t refused(uint64_t *a, const uint64_t *order) {
  uint64_t sum = 0, i = 0;
#pragma asyncmem num_task(8)
  for (;;) {
    __builtin_is_remote(a);
    uint64_t at = order[i++];
    if (at == ~0ull)
      break;
    sum = sum * 3 + a[at];
  }
  return sum;
}
