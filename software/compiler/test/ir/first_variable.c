// SPDX-License-Identifier: Apache-2.0
// What iterations share is a register in the first runs of a loop and in the loop itself; only tasks have it in memory. What is computed of the
// values behind a piece, for the policy, is no reason for a second variable of the loop.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S %s -o - | FileCheck %s --check-prefix=CODE
#include "asyncmem.h"

// CHECK-LABEL: define {{.*}}@collect(
// CHECK: %adapt.copy = alloca i64
// CHECK: [[LISTED:%.*]] = call i64 @collect.first(
// CHECK: adapt.apart:
// CHECK-NEXT: store i64 0, ptr %adapt.copy
// CHECK-NEXT: call void @collect.tasks(i64 0, {{.*}}%adapt.copy)
// CHECK: for.body.held:
// CHECK-NEXT: phi i64 [ 0, %adapt.held ]
// CHECK-NOT: adapt.copy
// CHECK-LABEL: define {{.*}}@collect.first(
// CHECK: adapt.apart.rest:
// CHECK: store i64 [[NOW:%.*]], ptr [[PLACE:%.*]], align 8
// CHECK-NEXT: call void @collect.tasks({{.*}}, ptr nonnull [[PLACE]])
// CHECK-NEXT: load i64, ptr [[PLACE]]
// CHECK: for.body:
// CHECK-NOT: [[PLACE]],
// CHECK: adapt.chunk.end:
// CHECK-NOT: phi
// CHECK: asm sideeffect "", "=r,0"(i64 {{.*}})
// CHECK: call i64 @llvm.readcyclecounter()

// The iteration that lists nothing.
// CODE-LABEL: collect.first:
// CODE: addi [[I:[a-z0-9]+]], [[I]], 1
// CODE-NEXT: addi [[AT:[a-z0-9]+]], [[AT]], 4
// CODE-NEXT: beq {{.*}}[[I]],
uint64_t collect(const uint64_t *a, const uint32_t *at, uint64_t *list, uint64_t n) {
  uint64_t tail = 0;
#pragma asyncmem num_task(16) shared_var(tail)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t word = a[at[i]];
    if (word & 1)
      list[tail++] = word;
  }
  return tail;
}
