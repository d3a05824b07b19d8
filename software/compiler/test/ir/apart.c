// SPDX-License-Identifier: Apache-2.0
// For the AMU the tasks of a loop and their choice are in a function of their own, and so are its first runs. The loop stays as it is for runs
// of which the policy has said that they are plain: it takes its iterations from those that are left; where its end is not known in front of it,
// it takes a run, is left behind as many iterations as a run may have, and the rest is handed over.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S %s -o - | FileCheck %s --check-prefix=CODE
#include "asyncmem.h"

// CHECK-LABEL: define {{.*}}@sum(
// CHECK: [[LEFT:%.*]] = load atomic i64, ptr @asyncmem.adapt.word monotonic
// CHECK-NEXT: [[THEN:%.*]] = sub i64 [[LEFT]], %n
// CHECK-NEXT: [[HELD:%.*]] = icmp sgt i64 [[THEN]], -1
// CHECK-NEXT: br i1 [[HELD]], label %adapt.held, label %adapt.ask
// CHECK: adapt.held:
// CHECK-NEXT: store atomic i64 [[THEN]], ptr @asyncmem.adapt.word monotonic
// CHECK-NEXT: br label %for.body
// CHECK: adapt.ask:
// CHECK-NEXT: [[TARGET:%.*]] = load atomic i64, ptr @asyncmem.adapt monotonic
// CHECK-NEXT: [[NEVER:%.*]] = icmp eq i64 [[TARGET]], 0
// CHECK-NEXT: br i1 [[NEVER]], label %[[FIRST:.*]], label %adapt.apart
// CHECK: [[FIRST]]:
// CHECK-COUNT-8: load volatile i8, ptr {{.*}}@sum.first
// CHECK-NEXT: [[HERE:%.*]] = {{.*}} asm sideeffect "auipc $0, 0"
// CHECK-COUNT-3: getelementptr i8, ptr [[HERE]], i64 {{64|128|192}}
// CHECK: tail call i64 @sum.first(
// CHECK: adapt.apart:
// CHECK-NEXT: tail call i64 @sum.tasks(i64 0, i64 0,
// CHECK-NOT: adapt.control

// Its first runs are pieces; what they do not run is handed over.
// CHECK-LABEL: define {{.*}}@sum.first(
// CHECK: [[PIECE:%.*]] = load atomic i32, {{.*}}@asyncmem.adapt, i64 0, i64 7) monotonic
// CHECK-NEXT: icmp eq i32 [[PIECE]], 0
// CHECK: rdinstret
// CHECK-NOT: call {{.*}}__asyncmem_adapt
// CHECK: adapt.piece:
// CHECK: [[SUM:%.*]] = phi i64 [ 0, {{.*}} ], [ {{.*}}, %adapt.over ]
// CHECK-NEXT: [[START:%.*]] = phi i64 [ 0, {{.*}} ], [ [[BEFORE:%.*]], %adapt.over ]
// CHECK-NEXT: tail call i64 @sum.tasks(i64 [[START]], i64 [[SUM]], i64
// CHECK: adapt.chunk.end:
// CHECK: [[RAN:%.*]] = sub i64
// CHECK-NEXT: [[BEFORE]] = add i64 {{.*}}[[RAN]]
// CHECK-NEXT: call i64 @llvm.readcyclecounter()
// CHECK-LABEL: define {{.*}}@sum.tasks(i64 %adapt.start, i64 %adapt.start1, i64 %n, ptr %at, ptr %a)

// A run of the loop itself needs no stack, and five instructions more.
// CODE-LABEL: sum:
// CODE-NOT: (sp)
// CODE: auipc [[PLACE:[a-z0-9]+]], %pcrel_hi(asyncmem.adapt.word)
// CODE-NEXT: ld [[REST:[a-z0-9]+]], %pcrel_lo([[UPPER:.*]])([[PLACE]])
// CODE-NEXT: sub [[REST]], [[REST]], a2
// CODE-NEXT: bgez [[REST]], [[LOOP:.*]]
// CODE: tail sum.first
// CODE: [[LOOP]]:
// CODE: sd [[REST]], %pcrel_lo([[UPPER]])([[PLACE]])
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
// CHECK: [[FIRST:%.*]] = load i32, ptr %at,
// CHECK: [[RUNS:%.*]] = load atomic i64, {{.*}}@asyncmem.adapt{{.*}}, i64 0, i64 1) monotonic
// CHECK-NEXT: [[NONE:%.*]] = icmp eq i64 [[RUNS]], 0
// CHECK-NEXT: br i1 [[NONE]], label %adapt.apart, label %adapt.held
// CHECK: adapt.held:
// CHECK: store atomic i64 {{.*}}@asyncmem.adapt{{.*}}, i64 0, i64 1) monotonic
// CHECK-NEXT: [[MOST:%.*]] = load atomic i64, {{.*}}@asyncmem.adapt{{.*}}, i64 0, i64 8) monotonic
// CHECK-NEXT: [[LIMIT:%.*]] = {{.*}}call i64 @llvm.umax.i64(i64 [[MOST]], i64 4)
// CHECK: [[GIVEN:%.*]] = and i64 [[LIMIT]], -4
// CHECK: adapt.apart:
// CHECK-NEXT: [[NOW:%.*]] = phi i32 [ [[FIRST]], {{.*}} ], [ [[NEXT:%.*]], %adapt.chunk.end ]
// CHECK-NEXT: [[I:%.*]] = phi i64 [ 0, {{.*}} ], [ {{.*}}, %adapt.chunk.end ]
// CHECK-NEXT: [[SUM:%.*]] = phi i64 [ 0, {{.*}} ], [ {{.*}}, %adapt.chunk.end ]
// CHECK-NEXT: call i64 @until.tasks(i32 [[NOW]], i64 [[I]], i64 [[SUM]], ptr %a, ptr nonnull %at)
// CHECK: adapt.chunk.end:
// CHECK-NEXT: store atomic i64 0, {{.*}}@asyncmem.adapt{{.*}}, i64 0, i64 1) monotonic
// CHECK-NEXT: br label %adapt.apart

// It asks for the limit behind the last one of four iterations.
// CHECK: for.body:
// CHECK-NEXT: [[DONE:%.*]] = phi i64 [ 0, {{.*}} ], [ [[FOUR:%.*]], {{.*}} ]
// CHECK-COUNT-3: br i1 {{.*}}, label %for.cond.cleanup, label %adapt.second
// CHECK: [[FOUR]] = add nuw i64 [[DONE]], 4
// CHECK: [[NEXT]] = load i32,
// CHECK-NEXT: [[ENDS:%.*]] = icmp eq i32 [[NEXT]], 0
// CHECK-NEXT: br i1 [[ENDS]], label %for.cond.cleanup, label %[[LAST:.*]]
// CHECK: [[LAST]]:
// CHECK-NEXT: [[OVER:%.*]] = icmp eq i64 [[FOUR]],
// CHECK-NEXT: br i1 [[OVER]], label %adapt.chunk.end, label %for.body

// The plain copy beside the tasks, too.
// CHECK-LABEL: define {{.*}}@until.tasks(
// CHECK: [[BUDGET:%.*]] = add i64 {{.*}}, 3
// CHECK-NEXT: and i64 [[BUDGET]], -4
// CHECK: adapt.chunk.end:
// CHECK: phi i1 [ {{.*}} ], [ true, %adapt.second{{.*}} ]
// CHECK: adapt.last:
// CHECK-SAME: preds = %adapt.chunk.end, %{{.*}}, %{{.*}}, %{{.*}}, %for.body.plain.again{{[0-9]*$}}
uint64_t until(const uint64_t *a, const uint32_t *at) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; at[i]; ++i) {
    __builtin_is_remote(a);
    sum += a[at[i]];
  }
  return sum;
}

// Where iterations are long each one asks.
// CHECK-LABEL: define {{.*}}@hashes(
// CHECK: adapt.second:
// CHECK-NEXT: [[OVER:%.*]] = icmp eq
// CHECK-NEXT: br i1 [[OVER]], label %adapt.chunk.end, label %for.body
uint64_t hashes(const uint64_t *a, const uint32_t *at) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; at[i]; ++i) {
    __builtin_is_remote(a);
    uint64_t word = a[at[i]];
    for (int step = 0; step < 16; ++step)
      word = (word ^ word >> 29) * 0x9e3779b97f4a7c15;
    sum += word;
  }
  return sum;
}

// A bound comes nearer in a loop with other ways out, too: nothing counts. It takes a run, as it may end long before that many iterations.
// CHECK-LABEL: define {{.*}}@find(
// CHECK: [[RUNS:%.*]] = load atomic i64, {{.*}}@asyncmem.adapt{{.*}}, i64 0, i64 1) monotonic
// CHECK-NEXT: [[MOST:%.*]] = load atomic i64, {{.*}}@asyncmem.adapt{{.*}}, i64 0, i64 8) monotonic
// CHECK: adapt.held:
// CHECK-NEXT: [[LEFT:%.*]] = add i64 [[RUNS]], -1
// CHECK-NEXT: store atomic i64 [[LEFT]], {{.*}}@asyncmem.adapt{{.*}}, i64 0, i64 1) monotonic
// CHECK-LABEL: define {{.*}}@find.tasks(
// CHECK-NOT: adapt.done
// CHECK: adapt.limit = select
// CHECK-NOT: adapt.done
uint64_t find(const uint64_t *a, const uint32_t *at, uint64_t n, uint64_t *out) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (at[i] == 7)
      return i;
    out[i] = a[at[i]];
  }
  return n;
}
