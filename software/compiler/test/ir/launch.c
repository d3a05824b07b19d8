// SPDX-License-Identifier: Apache-2.0
// What is computed in program order before a task starts, and nothing else.
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// The condition of the break is local: it is read once, at launch; the task
// neither reads it again nor is the remote word read at launch.
// CHECK-LABEL: @leave
// CHECK: load i32
// CHECK: load i64, {{.*}} !asyncmem.context
// CHECK: load i64
// CHECK-NOT: load i32
// CHECK: @llvm.prefetch
// CHECK: ret
int leave(uint64_t *a, const int *restrict stop, int n) {
  int i;
#pragma asyncmem num_task(4)
  for (i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] *= 3;
    if (stop[i])
      break;
  }
  return i;
}
