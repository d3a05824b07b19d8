// SPDX-License-Identifier: Apache-2.0
// Of words that no other iteration updates, updated in an inner loop, a task keeps the line that it met twice in a row.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o %t.ll -Rpass-analysis=asyncmem 2>%t.remarks
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: FileCheck %s < %t.ll
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=blocks -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o %t.ll
// RUN: FileCheck --check-prefix=OFF %s < %t.ll
#include "asyncmem.h"

// The task's copy of the line is in its frame; the first update of a line is made in memory. A changed word is found by its bit.
// CHECK-LABEL: @count(
// CHECK: call i64 @llvm.cttz.i64
// OFF-LABEL: @count(
// OFF-NOT: llvm.cttz
// REMARK-DAG: [[#@LINE+10]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 4 bytes together
// REMARK-DAG: [[#@LINE+9]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 64 bytes together, once for a block of a row
// REMARK-DAG: [[#@LINE+8]]:{{[0-9]+}}: remark: a task waits here: 8 remote accesses in 1 requests of 64 bytes together
// REMARK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: a task waits here: 4 remote accesses in 1 requests of 32 bytes together
void count(const uint32_t *restrict starts, const uint32_t *keys, uint32_t *counts, uint64_t n) {
#pragma asyncmem num_task(8) distinct_update(counts)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint32_t k = starts[2 * i]; k < starts[2 * i + 1]; ++k)
      ++counts[keys[k]];
  }
}

// Not kept: updates that may get lost, those of other iterations, those that are no part of an inner loop, and where atomic operations
// hand data to other iterations.
// REMARK-NOT: 8 remote accesses in 1
void lossy(const uint32_t *restrict starts, const uint32_t *keys, uint32_t *counts, uint64_t n) {
#pragma asyncmem num_task(8) lossy_update(counts)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint32_t k = starts[2 * i]; k < starts[2 * i + 1]; ++k)
      ++counts[keys[k]];
  }
}

void shared(const uint32_t *restrict starts, const uint32_t *keys, uint32_t *counts, uint64_t n) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint32_t k = starts[2 * i]; k < starts[2 * i + 1]; ++k)
      ++counts[keys[k]];
  }
}

void once(const uint64_t *keys, uint32_t *counts, uint64_t n) {
#pragma asyncmem num_task(8) distinct_update(counts)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    counts[keys[i]] += i;
  }
}

void signalled(const uint32_t *restrict starts, const uint32_t *keys, uint32_t *counts, uint64_t *done, uint64_t n) {
#pragma asyncmem num_task(8) distinct_update(counts)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    __builtin_is_remote(done);
    for (uint32_t k = starts[2 * i]; k < starts[2 * i + 1]; ++k)
      ++counts[keys[k]];
    __atomic_fetch_add(done, 1, __ATOMIC_RELEASE);
  }
}
