// SPDX-License-Identifier: Apache-2.0
// Requests with each way of coalescing on and off.
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=none -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=fields -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=FIELDS %s
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=sets -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=SETS %s
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off %riscv %sched=bafin -O2 -S -emit-llvm %s -o - -Rpass=asyncmem -Rpass-analysis=asyncmem 2>%t.remarks | FileCheck --check-prefix=ALL %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off %sched=static -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=STATIC %s
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off %sched=static -fplugin-arg-asyncmem-coalesce=none -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=STATICNONE %s
#include "asyncmem.h"

struct pair {
  uint64_t x, y;
};

// Three loads and two neighbouring stores: five switches, one for the pair and
// one for the other load and two for stores, two for all loads and stores.
// NONE-LABEL: @f(
// NONE-NOT: CUSTOM_0, 4
// NONE: callbr i64 asm sideeffect "{{[^"]*}}", "=r,!i,!i,!i,!i,!i,~{memory}"
// NONE-NOT: CUSTOM_0, 4

// A coarse request that may cross a page has a second form, one request for
// each field; the common one is first. What its place in the page is compared
// with stays in a register.
// FIELDS-LABEL: @f(
// FIELDS: [[LAST:%.*]] = {{(tail )?}}call i64 asm sideeffect "", "=r,0"(i64 -72057594037927936)
// FIELDS: callbr i64 asm sideeffect "{{[^"]*}}", "=r,!i,!i,!i,~{memory}"
// FIELDS: icmp ugt i64 %{{.*}}, [[LAST]]

// SETS-LABEL: @f(
// SETS-DAG: CUSTOM_0, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 3)
// SETS-DAG: CUSTOM_0, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 2)
// SETS-DAG: callbr i64 asm sideeffect "{{[^"]*}}", "=r,!i,!i,~{memory}"

// ALL-LABEL: @f(
// ALL-DAG: CUSTOM_0, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 2)
// ALL-DAG: callbr i64 asm sideeffect "{{[^"]*}}", "=r,!i,!i,~{memory}"
// REMARK-DAG: :[[#@LINE+9]]:{{[0-9]+}}: remark: a task waits here: 3 remote accesses in 2 requests of 24 bytes together [-Rpass-analysis=asyncmem]
// REMARK-DAG: remark: a task waits here: 2 remote accesses in 1 requests of 16 bytes together
// REMARK-DAG: remark: loop split into tasks: 8 tasks, {{[0-9]+}} bytes of context each, 2 suspensions for 5 remote accesses in 3 requests (3 coalesced)
void f(const struct pair *p, const uint64_t *q, struct pair *restrict r, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(p);
    __builtin_is_remote(q);
    __builtin_is_remote(r);
    uint64_t x = p[i].x, y = p[i].y, z = q[i * 3];
    r[i].x = x + z;
    r[i].y = y * z;
  }
}

// Stores do not wait; the pair may lie in two lines: three prefetches, one
// suspension and so no indirect jump.
// STATIC-LABEL: @f(
// STATIC-COUNT-3: call void @llvm.prefetch
// STATIC-NOT: indirectbr
// STATIC: ret
// STATICNONE-LABEL: @f(
// STATICNONE: indirectbr
