// SPDX-License-Identifier: Apache-2.0
// While the task has the block of a row's elements and waits for nothing, a loop of its own runs.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// One comparison an element finds the end of the block; that the block is not the line of the counters is compared once for all of them. An
// update is looked for in the line that the task keeps.
// CHECK-LABEL: @count(
// CHECK: row.loop:
// CHECK: %[[MEET:[0-9]+]] = icmp eq i64 %{{.*}}, %line.address
// CHECK: br i1 %[[MEET]], label %for.body6, label %for.body6.row
// CHECK: {{^}}for.body6.row:
// CHECK: icmp ugt i64 %{{.*}}, 63
// CHECK-NEXT: br i1 %{{.*}}, label %for.body6, label %for.body6.row.split
// CHECK: {{^}}for.body6.row.split:
// CHECK-NOT: and i64
// CHECK: icmp ult {{.*}}64
// CHECK-NEXT: br i1 %{{.*}}, label %line.kept.row
// CHECK-LABEL: @far(
void count(const uint32_t *restrict starts, const uint32_t *keys, uint32_t *counts, uint64_t n) {
#pragma asyncmem num_task(8) distinct_update(counts)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint32_t k = starts[2 * i]; k < starts[2 * i + 1]; ++k)
      ++counts[keys[k]];
  }
}

// Not where each element waits for something.
// CHECK-NOT: row.loop:
uint64_t far(const uint32_t *restrict starts, const uint32_t *keys, const uint64_t *values, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(values);
    for (uint32_t k = starts[2 * i]; k < starts[2 * i + 1]; ++k)
      sum += values[keys[k]];
  }
  return sum;
}

// Where not every iteration comes to the element, its address may be poison, and what it is compared with. Neither decides as it is.
// CHECK-LABEL: @some(
// CHECK: {{^}}row.loop:
// CHECK-NEXT: icmp eq i64 %{{[^,]*}}, %[[LINE:[0-9]+]]
// CHECK: %[[LINE]] = freeze i64 %line.address
// CHECK: %[[COUNTER:.*]] = freeze i64 %indvars
// CHECK-NEXT: add i64 %[[COUNTER]], 1
void some(const uint32_t *restrict starts, const uint32_t *keys, uint32_t *counts, const uint8_t *restrict wanted, uint64_t n) {
#pragma asyncmem num_task(8) distinct_update(counts)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint32_t k = starts[2 * i]; k < starts[2 * i + 1]; ++k)
      if (wanted[k & 63])
        ++counts[keys[k]];
  }
}
