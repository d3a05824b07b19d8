// SPDX-License-Identifier: Apache-2.0
// A run that may begin as the plain loop takes one from the runs that follow the choice, and does not ask the policy; it does where it has run all
// the iterations that were given.
// RUN: %clang %plugin -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// CHECK-LABEL: define{{.*}} @sum(
// CHECK: [[RUNS:%[0-9]+]] = load atomic i64, {{.*}} @asyncmem.adapt, i64 0, i64 1) monotonic
// CHECK-NEXT: [[ASK:%[0-9]+]] = icmp eq i64 [[RUNS]], 0
// CHECK-NEXT: br i1 [[ASK]], label %[[START:[0-9]+]], label %[[HELD:[0-9]+]]
// CHECK: [[HELD]]:
// CHECK-NEXT: [[LEFT:%[0-9]+]] = add i64 [[RUNS]], -1
// CHECK-NEXT: store atomic i64 [[LEFT]], {{.*}} @asyncmem.adapt, i64 0, i64 1) monotonic
// CHECK-NEXT: [[GIVEN:%[0-9]+]] = load atomic i64, {{.*}} @asyncmem.adapt, i64 0, i64 8) monotonic
// CHECK-NEXT: [[MANY:%[0-9]+]] = {{.*}}call i64 @llvm.umax.i64(i64 [[GIVEN]], i64 1)
// CHECK-NEXT: br label %[[CONTROL:[0-9]+]]
// CHECK: [[START]]:
// CHECK-NEXT: call void @__asyncmem_adapt_start(
// CHECK: [[CONTROL]]:
// CHECK-NEXT: phi i64 {{.*}}[ 0, %[[HELD]] ]
// CHECK-NEXT: phi i64 {{.*}}[ [[MANY]], %[[HELD]] ]
// CHECK: [[ASKED:%[0-9]+]] = phi i1 [ true, %[[CHUNK:[0-9]+]] ], [ [[ASK]], %[[CONTROL]] ]
// CHECK: br i1 [[ASKED]], label %[[CHUNK]], label %[[TELL:[0-9]+]]
// CHECK: [[TELL]]:
// CHECK-NEXT: store i64 16,
// CHECK-NEXT: store i64 65536,
// CHECK-NEXT: store i64 0,
// CHECK-NEXT: store i64 0,
// CHECK-NEXT: br label %[[CHUNK]]
// CHECK: [[CHUNK]]:
// CHECK-NEXT: call void @__asyncmem_adapt_next(
// CHECK: br i1 [[ASKED]], label %[[END:[0-9]+]], label
// CHECK: [[END]]:
// CHECK-NEXT: call void @__asyncmem_adapt_end(
uint64_t sum(const uint64_t *a, const uint32_t *at, uint64_t n) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    all += a[at[i]];
  }
  return all;
}
