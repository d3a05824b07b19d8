// SPDX-License-Identifier: Apache-2.0
// Behind the choice at run time the tasks have their own copies of what they read from outside, so that nothing computed of it moves in front
// of the chunks. Addresses of local variables are not copied: they move into frames. Where the tasks need few registers they read the originals.
// The plain copy begins with cleared registers (common/Target.h) and its own copies, too, unless it needs many; what was measured ends with cleared ones.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

#define NEXT(x) a[(x) * 7 & 1023]

// CHECK-LABEL: define {{.*}}@sums(
// CHECK: adapt.plain:
// CHECK-NEXT: call void asm sideeffect "li t3, 0{{.*}}", "~{x28},~{x29},~{x30},~{x31}"()
// CHECK-NEXT: [[OWN_A:%.*]] = call ptr asm sideeffect "", "=r,0"(ptr %a)
// CHECK-NEXT: [[OWN_OUT:%.*]] = call ptr asm sideeffect "", "=r,0"(ptr %out)
// CHECK-NEXT: call i64 asm sideeffect "", "=r,0"(i64 %adapt.limit)
// CHECK-NOT: asm sideeffect "", "=r,0"(ptr %local
// CHECK: adapt.tasks:
// CHECK-NEXT: [[A:%.*]] = call ptr asm sideeffect "", "=r,0"(ptr %a)
// CHECK-NEXT: [[OUT:%.*]] = call ptr asm sideeffect "", "=r,0"(ptr %out)
// CHECK-NEXT: call i64 asm sideeffect "", "=r,0"(i64 %adapt.limit)
// CHECK-NOT: asm sideeffect "", "=r,0"(ptr %local
// CHECK: getelementptr {{.*}}ptr [[A]]
// CHECK-DAG: getelementptr {{.*}}ptr [[OUT]]
// CHECK-DAG: {{.*}}.plain = getelementptr {{.*}}ptr [[OWN_A]],
// CHECK-DAG: {{.*}}.plain = getelementptr {{.*}}ptr [[OWN_OUT]],
void sums(const uint64_t *restrict a, uint64_t *restrict out, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t local[4] = {i, 0, 1, 2};
    local[NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(NEXT(i)))))))))) & 3] = 7;
    out[i] = local[i & 3];
  }
}

// CHECK-LABEL: define {{.*}}@one(
// CHECK: @start_run(
// CHECK: adapt.plain:
// CHECK-NEXT: call void asm sideeffect "li t3, 0{{.*}}", "~{x28},~{x29},~{x30},~{x31}"()
// CHECK-NEXT: [[OWN:%.*]] = call ptr asm sideeffect "", "=r,0"(ptr %a)
// CHECK: {{.*}}.plain = getelementptr {{.*}}ptr [[OWN]],
// CHECK-NOT: asm sideeffect "", "=r,0"(ptr %a)
void one(const uint64_t *restrict a, uint64_t *restrict out, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    out[i] = NEXT(i);
  }
}

// CHECK-LABEL: define {{.*}}@many(
// CHECK-NOT: "li t3
// CHECK-LABEL: define {{.*}}@many.first(
// CHECK-NOT: "li t3
// CHECK: {{^}}adapt.last:
// CHECK-NEXT: call void asm sideeffect "li t3, 0
// CHECK-LABEL: define {{.*}}@many.tasks(
// CHECK-NOT: "li t3
// CHECK: {{^}}adapt.apart.end:
// CHECK-NEXT: call void asm sideeffect "li t3, 0
// CHECK: {{^}}for.body.plain:
// CHECK-NOT: "li t3
// CHECK-LABEL: define {{.*}}@start_run(
typedef uint64_t *restrict words;
void many(const uint64_t *restrict a, words b, words c, words d, words e, words f, words g, words h, words j, words k, words l, words m,
          uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t next = NEXT(i);
    b[i] = c[i] = d[i] = e[i] = f[i] = g[i] = h[i] = j[i] = k[i] = l[i] = m[i] = next;
  }
}
