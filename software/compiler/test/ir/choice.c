// SPDX-License-Identifier: Apache-2.0
// A run for which the policy has said before that it is the plain loop asks nothing; others ask, and tell when they have ended. Tasks and the
// plain loop run up to the same limit, and both come to the question how to go on. A short plain run has a function without all that, if what is in
// front of the loop can be done again, and the number of iterations is known there.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,AMU %s
// RUN: %clang %plugin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck --check-prefixes=CHECK,X86 %s
#include "asyncmem.h"

// CHECK: @asyncmem.adapt = internal global [20 x i64] [i64 0, i64 1, i64 {{8|16}}, i64 65536, i64 0,
// CHECK-LABEL: define {{.*}}@sum.tasks(
// CHECK: [[LEFT:%.*]] = load atomic i64, ptr @asyncmem.adapt monotonic
// CHECK-NEXT: icmp eq i64 [[LEFT]], 0
// CHECK: adapt.held:
// CHECK: store atomic i64 {{.*}}, ptr @asyncmem.adapt monotonic
// CHECK-NOT: call
// CHECK: adapt.ask:
// CHECK-NEXT: call void @__asyncmem_adapt_start(ptr nonnull @asyncmem.adapt, ptr nonnull %adapt.run)
// CHECK-DAG: call void @__asyncmem_adapt_next(ptr nonnull @asyncmem.adapt, ptr nonnull %adapt.run, i64
// CHECK-DAG: call void @__asyncmem_adapt_end(ptr nonnull @asyncmem.adapt, ptr nonnull %adapt.run, i64
// CHECK-DAG: %adapt.limit = select i1
// AMU-DAG: icmp eq i64 %inc.plain, %adapt.limit
// X86-DAG: call void @llvm.prefetch
// CHECK: {{^}}}
// CHECK-LABEL: define {{.*}}@log_and_sum(
// CHECK: call void @__asyncmem_adapt_start
// CHECK-LABEL: define {{.*}}@sum_until(
// CHECK: call void @__asyncmem_adapt_start
// CHECK-LABEL: define {{.*}}@sum(
// CHECK-NOT: alloca
// CHECK: [[RUNS:%.*]] = load atomic i64, ptr @asyncmem.adapt monotonic
// CHECK: load atomic i64, ptr getelementptr inbounds ([20 x i64], ptr @asyncmem.adapt, i64 0, i64 1) monotonic
// CHECK: add i64 [[RUNS]], -1
// CHECK-NOT: {{call|asm}}
// CHECK: tail call i64 @sum.tasks(ptr {{.*}}%a, ptr {{.*}}%at, i64 {{.*}}%n)
// AMU-DAG: rdinstret
// X86-NOT: rdinstret
uint64_t sum(const uint64_t *a, const uint32_t *at, uint64_t n) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    all += a[at[i]];
  }
  return all;
}

uint64_t log_and_sum(const uint64_t *a, const uint32_t *at, uint64_t n, volatile uint64_t *log) {
  uint64_t all = 0;
  *log = n;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    all += a[at[i]];
  }
  return all;
}

uint64_t sum_until(const uint64_t *a, const uint32_t *at) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  while (*at) {
    __builtin_is_remote(a);
    all += a[*at++];
  }
  return all;
}
