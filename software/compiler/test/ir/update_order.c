// SPDX-License-Identifier: Apache-2.0
// Tasks add in another order than the loop, so that a value in between may overflow, or be infinite, where none of the loop is.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -ffast-math -S -emit-llvm %s -o - | FileCheck  %s
// RUN: %clang %plugin %riscv %sched=static -fplugin-arg-asyncmem-adapt=off -O2 -ffast-math -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv %sched=none -O2 -ffast-math -S -emit-llvm %s -o - | FileCheck --check-prefix=PLAIN %s
#include "asyncmem.h"

// CHECK-LABEL: @shared_sum(
// CHECK-NOT: add nsw i32
// PLAIN-LABEL: @shared_sum(
// PLAIN: add nsw i32
int32_t shared_sum(const int32_t *far, const uint32_t *at, uint64_t n) {
  int32_t sum = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(far);
    sum += far[at[i]];
  }
  return sum;
}

// CHECK-LABEL: @word(
// CHECK-NOT: add nsw i32
// PLAIN-LABEL: @word(
// PLAIN: add nsw i32
void word(int32_t *counts, const int32_t *far, const uint32_t *at, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(far);
    counts[at[i] & 15] += far[at[i]];
  }
}

// CHECK-LABEL: @float_sum(
// CHECK-NOT: fadd {{fast|.*ninf}}
// CHECK: fadd reassoc
// PLAIN-LABEL: @float_sum(
// PLAIN: fadd fast
float float_sum(const float *far, const uint32_t *at, uint64_t n) {
  float sum = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(far);
    sum += far[at[i]];
  }
  return sum;
}
