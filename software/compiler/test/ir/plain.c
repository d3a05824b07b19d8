// SPDX-License-Identifier: Apache-2.0
// A loop that only stores to remote memory needs no prefetching task: it is compiled as without a pragma. Its mark still holds for the next loop.
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - -Rpass-missed=asyncmem 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
#include <stdint.h>

// REMARK: plain.c:[[#@LINE+2]]:9: remark: loop stays as it is: it only stores to remote memory
static void clear(uint64_t *values) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < 1000; ++i) {
    __builtin_is_remote(values);
    values[i] = 0;
  }
}

// CHECK-LABEL: define{{.*}} @mark_of_callee(
// CHECK: call void @llvm.memset
// CHECK: call void @llvm.prefetch
uint64_t mark_of_callee(uint64_t *values, const uint64_t *index) {
  clear(values);
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < 1000; ++i) {
    __builtin_is_remote(index);
    sum += values[index[i]];
  }
  return sum;
}
