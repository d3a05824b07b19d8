// SPDX-License-Identifier: Apache-2.0
// A remote atomic operation: own the address, load, compute, store, give it
// back; with prefetches the operation itself.
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=AMU %s
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off %riscv %sched=static -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=STATIC %s
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off %sched=static -O2 -S %s -o - | FileCheck --check-prefix=X86 %s
#include "asyncmem.h"

// AMU-LABEL: define {{.*}}@add.tasks(
// AMU-NOT: atomicrmw
// AMU-DAG: CUSTOM_0, 6, 0, x0, $0, $1
// AMU-DAG: CUSTOM_0, 7, 0, x0, $0, x0
// AMU-DAG: callbr i64 asm sideeffect "{{[^"]*}}", "=r,!i,!i,!i,~{memory}"
// AMU-LABEL: define {{.*}}@locked.tasks(
// AMU-NOT: call{{.*}}@asyncmem_
// AMU-DAG: CUSTOM_0, 6, 0, x0, $0, $1
// AMU-DAG: CUSTOM_0, 7, 0, x0, $0, x0
// STATIC-LABEL: @add(
// STATIC: call void @llvm.prefetch
// STATIC: atomicrmw add ptr %{{.*}} monotonic
// STATIC-LABEL: @locked(
// STATIC: atomicrmw xchg ptr %{{.*}}, i64 1 acquire
// STATIC: store atomic i64 0, ptr %{{.*}} release
// X86-LABEL: add:
// X86: prefetcht0
// X86: lock
void add(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __atomic_fetch_add(&a[i % 3], i, __ATOMIC_RELAXED);
  }
}

void locked(uint64_t *a, uint64_t *lock, uint64_t *sum, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    asyncmem_lock(lock);
    uint64_t before = *sum;
    *sum = before * 3 + a[i];
    asyncmem_unlock(lock);
  }
}
