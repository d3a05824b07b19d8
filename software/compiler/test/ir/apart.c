// SPDX-License-Identifier: Apache-2.0
// For the AMU the tasks of a loop and their choice are in a function of their own. The loop stays as it is for runs of which the policy
// has said that they are plain, if they are no longer than it knows; where its end is not known in front of it, all is in its place.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S %s -o - | FileCheck %s --check-prefix=CODE
#include "asyncmem.h"

// CHECK-LABEL: define {{.*}}@sum(
// CHECK: [[RUNS:%.*]] = load atomic i64, {{.*}}@asyncmem.adapt, i64 0, i64 1) monotonic
// CHECK-NEXT: [[HELD:%.*]] = icmp ugt i64 [[RUNS]], -9223372036854775808
// CHECK-NEXT: br i1 [[HELD]], label %[[LONG:.*]], label %adapt.apart
// CHECK: [[LONG]]:
// CHECK: [[MOST:%.*]] = load atomic i64, {{.*}}@asyncmem.adapt, i64 0, i64 8) monotonic
// CHECK-NEXT: [[SHORT:%.*]] = icmp ult i64 {{.*}}, [[MOST]]
// CHECK-NEXT: br i1 [[SHORT]], label %[[PLAIN:.*]], label %adapt.apart
// CHECK: [[PLAIN]]:
// CHECK: [[LEFT:%.*]] = add i64 [[RUNS]], -1
// CHECK-NEXT: store atomic i64 [[LEFT]], {{.*}}@asyncmem.adapt, i64 0, i64 1) monotonic
// CHECK-NEXT: br label %for.body
// CHECK: adapt.apart:
// CHECK: call i64 @sum.tasks(
// CHECK-NOT: adapt.control
// CHECK-LABEL: define {{.*}}@sum.tasks(

// A run of the loop itself needs no stack.
// CODE-LABEL: sum:
// CODE-NOT: (sp)
// CODE: tail sum.tasks
uint64_t sum(const uint64_t *a, const uint32_t *at, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[at[i]];
  }
  return sum;
}

// CHECK-LABEL: define {{.*}}@until(
// CHECK: adapt.start
// CHECK-NOT: @until.tasks
uint64_t until(const uint64_t *a, const uint32_t *at) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; at[i]; ++i) {
    __builtin_is_remote(a);
    sum += a[at[i]];
  }
  return sum;
}

// Tasks keep a line of counters. A plain copy of that would look for it, too: the loop of the program runs instead, as a function.
// CHECK-LABEL: define {{.*}}@count.tasks(
// CHECK: adapt.plain:
// CHECK: call void @count.plain(
// CHECK-LABEL: define {{.*}}@count.plain(
// CHECK-NOT: asm
// CHECK: ret void
void count(uint32_t *counters, const uint32_t *keys, const uint32_t *start, uint64_t n) {
#pragma asyncmem num_task(16) distinct_update(counters)
  for (uint64_t b = 0; b < n; ++b) {
    __builtin_is_remote(counters);
    __builtin_is_remote(keys);
    for (uint32_t k = start[b]; k < start[b + 1]; ++k)
      ++counters[keys[k]];
  }
}
