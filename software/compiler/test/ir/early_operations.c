// SPDX-License-Identifier: Apache-2.0
// What a request needs of two variables of an inner loop is computed where they change: the ways hand one value to the request.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// The sum of the first low and the first high is what is saved of the latter. Each way of a step makes the sum for the request itself, in front of the
// branch that ends the step.
// CHECK-LABEL: @search(
// CHECK: [[FIRST:%[0-9]+]] = call i64 asm sideeffect "", "=r,0"(i64 1000)
// CHECK: phi i64 [ [[FIRST]], {{.*}} ], [ [[OTHER:%[0-9]+]], {{.*}} ]
// CHECK: br label
// CHECK: [[STEP:%[0-9]+]] = phi i64 [ [[ABOVE:%[0-9]+]], {{.*}} ], [ [[BELOW:%[0-9]+]], {{.*}} ]
// CHECK-NEXT: br label
// CHECK: [[SUM:%[0-9]+]] = phi i64 {{.*}}[ [[STEP]],
// CHECK-NOT: add
// CHECK: lshr i64 [[SUM]], 1
// CHECK-NOT: add
// CHECK: .insn r CUSTOM_0, 0
// CHECK: store i64 {{.*}} !asyncmem.context
// CHECK: [[SUMABOVE:%[0-9]+]] = add i64
// CHECK-NEXT: [[ABOVE]] = call i64 asm sideeffect "", "=r,0"(i64 [[SUMABOVE]])
// CHECK-NEXT: br i1
// CHECK: store i64 {{.*}} !asyncmem.context
// CHECK: [[SUMBELOW:%[0-9]+]] = add i64
// CHECK-NEXT: [[BELOW]] = call i64 asm sideeffect "", "=r,0"(i64 [[SUMBELOW]])
// CHECK-NEXT: br i1
// CHECK: [[OTHER]] = call i64 asm sideeffect "", "=r,0"(i64 1000)
void search(const uint64_t *sorted, const uint64_t *restrict keys, uint64_t *restrict found, int n) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(sorted);
    uint64_t low = 0, high = 1000, key = keys[i];
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      if (sorted[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    found[i] = low;
  }
}
