// SPDX-License-Identifier: Apache-2.0
// The tasks are a function of their own, and so is the choice; beside them the loop is what it would be without the pragma.
// RUN: %clang %plugin -O2 -S -emit-llvm %s -o - -Rpass=asyncmem 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// What is made is valid, with debug information, too.
// RUN: %clang %plugin -fplugin-arg-asyncmem-verify -g -O2 -S -emit-llvm %s -o - | %clang -x ir -c - -o %t.o
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
// RUN: %clang %plugin %riscv -fplugin-arg-asyncmem-adapt -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=RISCV %s
#include "asyncmem.h"

// REMARK: forms.c:[[#@LINE+18]]:9: remark: loop split {{.*}} or the plain loop, chosen at run time
// The bit says that the loop takes the iterations of its own runs.
// CHECK: @asyncmem.adapt = internal global [28 x i64] [{{(i64 0, )+}}i64 2, i64 0, i64 0, i64 0, i64 0], align 64
// CHECK-LABEL: define{{.*}} @sum_rows(
// CHECK-NOT: @llvm.prefetch
// CHECK: tail call void @sum_rows.choice
// CHECK-NOT: @llvm.prefetch
// CHECK: add <4 x i32>
// CHECK-NOT: @llvm.prefetch
// CHECK-LABEL: define{{.*}} @sum_rows.choice(
// CHECK-NOT: @llvm.prefetch
// CHECK: call void @sum_rows.tasks
// CHECK-NOT: {{@llvm.prefetch|call void @sum_rows.tasks}}
// CHECK: add <4 x i32>
// CHECK-NOT: @llvm.prefetch
// OFF-NOT: .tasks(
// RISCV-NOT: .tasks(
void sum_rows(uint32_t *restrict sums, const uint32_t *restrict values, const uint64_t *restrict rows, const uint32_t *at, int64_t n) {
#pragma asyncmem num_task(16)
  for (int64_t i = 0; i < n; ++i) {
    __builtin_is_remote(values);
    __builtin_is_remote(rows);
    uint64_t begin = rows[2 * at[i]], end = rows[2 * at[i] + 1];
    uint32_t sum = 0;
    for (uint64_t k = begin; k < end; ++k)
      sum += values[k];
    sums[i] = sum;
  }
}

// A hidden base does not keep what the loop does not change in it.
// CHECK-LABEL: define{{.*}} @first_word.choice(
// CHECK: [[WORD:%[0-9]+]] = load i64, ptr %2,
// CHECK: getelementptr inbounds i64, ptr %1,
// CHECK: mul i64 {{.*}}, [[WORD]]
// CHECK-LABEL: define internal void @sum_rows.tasks(
// CHECK: @llvm.prefetch
uint64_t first_word(uint64_t *restrict sums, const uint64_t *restrict values, const uint64_t *restrict at, int64_t n) {
#pragma asyncmem num_task(16)
  for (int64_t i = 0; i < n; ++i) {
    __builtin_is_remote(values);
    sums[at[i]] = values[0] * values[at[i]];
  }
  return sums[0];
}
