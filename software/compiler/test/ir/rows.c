// SPDX-License-Identifier: Apache-2.0
// Elements of an inner loop that lie in sequence: one request a line, compared at run time.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -fno-discard-value-names -S -emit-llvm %s -o - -Rpass-analysis=asyncmem 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=blocks -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
#include "asyncmem.h"

// The request has 64 bytes, 2^6, from where the line of the element begins. There is nothing to wait for where that is the line the
// task has.
// CHECK-LABEL: @sum(
// CHECK: and i64 %{{.*}}, -64
// CHECK: and i64 %{{.*}}, 63
// CHECK-LABEL: @copies(
// REMARK: [[#@LINE+10]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 64 bytes together, once for a block of a row
// OFF-LABEL: @sum(
// OFF-NOT: and i64 %{{.*}}, -64
// OFF-LABEL: @copies(
uint64_t sum(const uint32_t *values, const uint32_t *restrict begin, int n) {
  uint64_t total = 0;
#pragma asyncmem num_task(8) reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(values);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      total += values[k];
  }
  return total;
}

// What the iteration stores may lie in its block: another comparison, after which the block is forgotten.
// CHECK: icmp ult i64 %{{.*}}, 71
// CHECK-LABEL: @product(
void copies(uint64_t *to, const uint64_t *from, const uint32_t *restrict begin, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      to[k] = from[k] + 1;
  }
}

// Two rows that one block reads have a line each, and wait for them apart.
// CHECK: row.fill
// CHECK: row.fill
// CHECK-LABEL: @same(
uint64_t product(const uint64_t *a, const uint64_t *b, const uint32_t *restrict begin, int n) {
  uint64_t total = 0;
#pragma asyncmem num_task(8) reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      total += a[k] * b[k];
  }
  return total;
}

// No rows: each element is written where it was read; steps of half a line; tasks that hand each other data under a lock; iterations
// that have a loop of their own.
// CHECK-NOT: and i64 %{{.*}}, -64
// CHECK-LABEL: @end(
void same(uint64_t *a, const uint32_t *restrict begin, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      a[k] += k;
  }
}

uint64_t far_apart(const uint64_t *a, const uint32_t *restrict begin, int n) {
  uint64_t total = 0;
#pragma asyncmem num_task(8) reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      total += a[4 * k];
  }
  return total;
}

void locked(const uint64_t *a, uint64_t *lock, uint64_t *sums, const uint32_t *restrict begin, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    asyncmem_lock(lock);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      sums[0] += a[k];
    asyncmem_unlock(lock);
  }
}

uint64_t sum_of_bags(const uint64_t *a, const uint32_t *bag, const uint32_t *restrict begin, int n) {
  uint64_t total = 0;
#pragma asyncmem num_task(8) reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(bag);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      for (uint64_t column = 0; column < 512; ++column)
        total += a[512ul * bag[k] + column];
  }
  return total;
}

void end(void) {}
