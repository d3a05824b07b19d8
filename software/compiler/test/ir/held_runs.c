// SPDX-License-Identifier: Apache-2.0
// A run of a loop that knows its end takes its iterations from those that follow the choice of the plain loop, and is the loop as it is without the
// pragma; the choice is elsewhere. Where it does not know the loop has a limit that four iterations share. A run that cannot be handed over to another
// function takes one from the runs, and asks where it has run all the iterations that were given.
// RUN: %clang %plugin -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin -O2 -S %s -o - | FileCheck %s --check-prefix=CODE
#include "asyncmem.h"

// CHECK-LABEL: define{{.*}} @sum(
// CHECK: [[LEFT:%[0-9]+]] = load atomic i64, ptr @asyncmem.adapt.word monotonic
// CHECK-NEXT: [[THEN:%[0-9]+]] = sub i64 [[LEFT]], %2
// CHECK-NEXT: [[HELD:%[0-9]+]] = icmp sgt i64 [[THEN]], -1
// CHECK-NEXT: br i1 [[HELD]], label %[[LOOP:[0-9]+]], label %[[ASK:[0-9]+]]
// CHECK: [[LOOP]]:
// CHECK-NEXT: store atomic i64 [[THEN]], ptr @asyncmem.adapt.word monotonic
// CHECK-NOT: call
// CHECK: [[ASK]]:
// CHECK-NEXT: tail call i64 @sum.choice(
// CHECK-NOT: call
// CHECK-LABEL: define{{.*}} @sum.choice(
// CHECK-LABEL: define{{.*}} @until(
// Four instructions, no stack, no register saved.
// CODE-LABEL: sum:
// CODE-NOT: {{push|rsp}}
// CODE: movq asyncmem.adapt.word(%rip), [[LEFT:%[a-z0-9]+]]
// CODE-NEXT: subq %rdx, [[LEFT]]
// CODE-NEXT: js
// CODE-NOT: {{push|rsp}}
// CODE: movq [[LEFT]], asyncmem.adapt.word(%rip)
// CODE-NOT: {{push|rsp}}
// CODE: retq
uint64_t sum(const uint64_t *a, const uint32_t *at, uint64_t n) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    all += a[at[i]];
  }
  return all;
}

// CHECK: [[RUNS:%[0-9]+]] = load atomic i64, {{.*}} @asyncmem.adapt.{{[0-9]+}}, i64 0, i64 1) monotonic
// CHECK-NEXT: [[ASK:%[0-9]+]] = icmp eq i64 [[RUNS]], 0
// CHECK-NEXT: br i1 [[ASK]], label %[[START:[0-9]+]], label %[[HELD:[0-9]+]]
// CHECK: [[START]]:
// CHECK-NEXT: call void @__asyncmem_adapt_start(
// CHECK: [[HELD]]:
// CHECK-NEXT: [[LEFT:%[0-9]+]] = add i64 [[RUNS]], -1
// CHECK-NEXT: store atomic i64 [[LEFT]], {{.*}} @asyncmem.adapt.{{[0-9]+}}, i64 0, i64 1) monotonic
// CHECK-NEXT: [[GIVEN:%[0-9]+]] = load atomic i64, {{.*}} @asyncmem.adapt.{{[0-9]+}}, i64 0, i64 8) monotonic
// CHECK-NEXT: [[MANY:%[0-9]+]] = {{.*}}call i64 @llvm.umax.i64(i64 [[GIVEN]], i64 1)
// CHECK-NEXT: br label %[[CONTROL:[0-9]+]]
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
uint64_t until(const uint64_t *a, const uint32_t *places) {
  uint32_t own[64], *at = own;
  uint64_t all = 0;
  __builtin_memcpy(own, places, sizeof own);
#pragma asyncmem num_task(16)
  while (*at) {
    __builtin_is_remote(a);
    all += a[*at++];
  }
  return all;
}

// CODE-LABEL: sentinel:
// CODE-NOT: {{push|rsp}}
// CODE: jmp sentinel.choice
// CODE: [[LOOP:.LBB[0-9_]+]]: {{.*}}Loop Header
// CODE-COUNT-4: addq ({{%[a-z0-9]+}},{{%[a-z0-9]+}},8),
// CODE: cmpq
// CODE-NEXT: jne [[LOOP]]
// CODE-NOT: {{push|rsp}}
// CODE: jmp sentinel.choice
uint64_t sentinel(const uint64_t *a, const uint32_t *at) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  while (*at) {
    __builtin_is_remote(a);
    all += a[*at++];
  }
  return all;
}

// What an iteration has for itself is a variable of each of the two functions: neither gets the other one's, which lives at its own times.
// CHECK-LABEL: define {{.*}}@scratch(
// CHECK: alloca [8 x i64]
// CHECK: tail call i64 @scratch.choice(
// CHECK-LABEL: define {{.*}}@scratch.choice(
// CHECK: alloca [8 x i64]
// CHECK: call void @llvm.lifetime.start
uint64_t scratch(const uint64_t *a, const uint32_t *at, uint64_t n) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t own[8];
    for (int k = 0; k < 8; ++k)
      own[(k * 5 + i) % 8] = a[at[i] + k];
    all += own[i % 8] * own[3];
  }
  return all;
}
