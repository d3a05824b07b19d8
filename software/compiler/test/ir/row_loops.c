// SPDX-License-Identifier: Apache-2.0
// While the task has the block of a row's elements and waits for nothing, a loop of its own runs.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// One comparison an element finds the end of the block.
// CHECK-LABEL: @sums(
// CHECK: {{^}}for.body6.row:
// CHECK: icmp ugt i64 %{{.*}}, 63
// CHECK-NEXT: br i1 %{{.*}}, label %for.body6, label %for.body6.row.split
void sums(const uint32_t *restrict starts, const uint32_t *keys, uint64_t *restrict to, uint64_t n) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(keys);
    uint64_t sum = 0;
    for (uint32_t k = starts[2 * i]; k < starts[2 * i + 1]; ++k)
      sum += keys[k];
    to[i] = sum;
  }
}
