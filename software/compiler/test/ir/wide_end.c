// SPDX-License-Identifier: Apache-2.0
// A narrow counter that clang has widened but for its comparison: where the loop is only entered before its end the bound is widened, too; else a
// limit of iterations is one for the lower bits. Neither costs an iteration a counter of its own.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// CHECK-LABEL: define {{.*}}@collect(
// CHECK: [[END:%.*]] = zext i32 %end to i64
// CHECK-NOT: adapt.done
// CHECK: %adapt.limit = select i1 {{.*}}, i64 {{.*}}, i64 [[END]]
// CHECK-NOT: trunc i64 %indvars
// CHECK: icmp eq i64 %indvars.iv.next.plain, %adapt.limit
static __attribute__((noinline)) uint32_t collect(const uint64_t *a, uint32_t *list, uint32_t begin, uint32_t end) {
  uint32_t tail = end;
#pragma asyncmem num_task(16) shared_var(tail)
  for (uint32_t n = begin; n < end; ++n) {
    __builtin_is_remote(a);
    __builtin_is_remote(list);
    uint64_t word = a[list[n]];
    if (word & 1)
      list[tail++] = (uint32_t)word;
  }
  return tail;
}

uint32_t levels(const uint64_t *a, uint32_t *list, uint32_t end) {
  uint32_t begin = 0;
  while (begin < end) {
    uint32_t next = collect(a, list, begin, end);
    begin = end;
    end = next;
  }
  return end;
}

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
