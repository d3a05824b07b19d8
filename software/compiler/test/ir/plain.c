// SPDX-License-Identifier: Apache-2.0
// Loops that need no task are compiled as without a pragma, restrict included,
// unless inlining may still show something to wait for.
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - -Rpass=asyncmem 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang %plugin -O1 -S -emit-llvm %s -o - | FileCheck --check-prefix=COPY %s
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=TASKS %s
// RUN: %clang %plugin %riscv -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=NHG %s
#include <stdint.h>

static void copy(uint64_t *restrict to, const uint64_t *restrict from, uint64_t first, uint64_t end) {
// REMARK: plain.c:[[#@LINE+1]]:9: remark: loop needs no tasks
#pragma asyncmem num_task(16)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[i];
  }
}

// restrict of a callee that is inlined reaches the copy.
// REMARK-NOT: left serial: optimisation
// CHECK-LABEL: define{{.*}} @copies(
// CHECK: call void @llvm.memcpy
// CHECK-NOT: br i1 {{.*}}llvm.loop
// CHECK: ret void
// COPY-LABEL: define{{.*}} @copies(
// COPY: call void @llvm.memcpy
// TASKS-LABEL: define{{.*}} @copies(
// TASKS-NOT: call void @llvm.memcpy
// TASKS: call void @llvm.prefetch
// NHG-LABEL: define{{.*}} @copies(
// NHG-NOT: call void @llvm.memcpy
// NHG: call void @llvm.prefetch
void copies(uint64_t **arrays, uint64_t end) { copy(arrays[0], arrays[1], 5, end); }

// One loop of a function is given back, the other one becomes tasks.
// CHECK-LABEL: define{{.*}} @both(
// CHECK: call void @llvm.prefetch
// CHECK: ret void
void both(uint64_t *restrict sums, const uint64_t *restrict values, const uint64_t *restrict index) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < 1000; ++i) {
    __builtin_is_remote(sums);
    __builtin_is_remote(index);
    sums[i] = index[i];
  }
#pragma asyncmem num_task(16)
  for (int i = 0; i < 1000; ++i) {
    __builtin_is_remote(values);
    sums[i] += values[index[i]];
  }
}

// What the caller knows of `values` makes the loop one of tasks.
// CHECK-LABEL: define{{.*}} @marked_by_caller(
// CHECK: call void @llvm.prefetch
static uint64_t gather(const uint64_t *values, const uint64_t *index) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < 1000; ++i) {
    __builtin_is_remote(index);
    sum += values[index[i]];
  }
  return sum;
}
uint64_t marked_by_caller(const uint64_t *values, const uint64_t *index) {
  __builtin_is_remote(values);
  return gather(values, index);
}

// A mark in a loop that is given back still holds for the next loop.
static void fill(uint64_t *values) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < 1000; ++i) {
    __builtin_is_remote(values);
    values[i] = 7 * i;
  }
}
// CHECK-LABEL: define{{.*}} @mark_of_callee(
// CHECK: call void @llvm.prefetch
uint64_t mark_of_callee(uint64_t *values, const uint64_t *index) {
  fill(values);
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < 1000; ++i) {
    __builtin_is_remote(index);
    sum += values[index[i]];
  }
  return sum;
}
