// SPDX-License-Identifier: Apache-2.0
// A loop for the AMU that never ran reads the rest of its state and the code of its start, of the ends of its pieces and of its own end, and
// what the policy does in the first pieces of the trial is a part of it. What comes behind them prefetches its code. For x86-64 the policy is
// called, and does not.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=X86
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o && llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS
#include "asyncmem.h"

// CHECK-LABEL: define {{.*}}@sums.tasks(
// CHECK: [[TARGET:%.*]] = load atomic i64, ptr @asyncmem.adapt monotonic
// CHECK-NEXT: [[NEVER:%.*]] = icmp eq i64 [[TARGET]], 0
// CHECK-NEXT: br i1 [[NEVER]], label %adapt.first, label %adapt.start.call
// CHECK-NOT: call {{.*}}__asyncmem_adapt
// CHECK: rdinstret
// CHECK: call {{.*}}@start_run(
// CHECK: adapt.control:
// CHECK: call {{.*}}@next_chunk(
// CHECK: adapt.first:
// CHECK-NEXT: load atomic volatile i64, ptr getelementptr {{.*}}@asyncmem.adapt, i64 0, i64 8)
// CHECK-NEXT: load atomic volatile i64, ptr getelementptr {{.*}}@asyncmem.adapt, i64 0, i64 16)
// CHECK-COUNT-15: load volatile i8, ptr {{.*}}blockaddress(@sums.tasks,
// CHECK-NEXT: br label %adapt.start.call
// CHECK-LABEL: define {{.*}}@next_chunk(
// CHECK: phi ptr {{.*}}[ @begin, %
// CHECK: call void @llvm.prefetch.p0(
// CHECK-LABEL: define {{.*}}@end_turn(
// CHECK: phi ptr {{.*}}[ @end_trial, %
// CHECK: call void @llvm.prefetch.p0(

// X86: call {{.*}}__asyncmem_adapt_start(
// X86-NOT: load volatile i8, ptr {{.*}}blockaddress
// X86-LABEL: define {{.*}}@__asyncmem_adapt_next(
// X86-NOT: call void @llvm.prefetch

// SYMBOLS-NOT: __asyncmem_adapt
// SYMBOLS: next_chunk
// SYMBOLS-NOT: __asyncmem_adapt
void sums(const uint64_t *restrict a, uint64_t *restrict out, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    out[i] = a[a[i * 7 & 1023] & 1023];
  }
}
