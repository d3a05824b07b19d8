// SPDX-License-Identifier: Apache-2.0
// Of a narrow counter that clang has widened but for its comparison a limit of iterations is one for the lower bits. It costs an iteration no
// counter of its own.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// CHECK-LABEL: define {{.*}}@unguarded.tasks(
// CHECK-NOT: adapt.done
// CHECK: %adapt.limit = select i1 {{.*}}, i32 {{.*}}, i32
// CHECK: [[LOW:%.*]] = trunc i64 %indvars.iv.next.plain to i32
// CHECK-NEXT: icmp eq i32 %adapt.limit, [[LOW]]
uint64_t unguarded(const uint64_t *a, const int *at, int begin, int end) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (int n = begin; n != end; ++n) {
    __builtin_is_remote(a);
    sum += a[at[n]];
  }
  return sum;
}
