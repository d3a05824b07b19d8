// SPDX-License-Identifier: Apache-2.0
// A loop on an AMU whose tasks update exclusively asks for more iterations where none is left to launch: by a call that leaves registers alone.
// Others do not, nor do loops for x86-64, those whose end has another form, and those of which a task's value is wanted behind them.
// RUN: %clang %plugin %riscv %sched=bafin -fno-discard-value-names -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=X86
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S %s -o - | FileCheck %s --check-prefix=ASM
#include "asyncmem.h"

// CHECK: @asyncmem.adapt = internal global [28 x i64] [{{(i64 0, )+}}i64 3,
// CHECK: @asyncmem.adapt{{[.0-9]*}} = internal global [28 x i64] [{{(i64 0, )+}}i64 2,
// CHECK-LABEL: define {{.*}}@counts.tasks(
// CHECK: load i64, ptr
// CHECK: more.ask:
// CHECK: call i64 asm sideeffect "call t0, $1", "={t1},i,{t1},{t2},~{t0},~{memory}"(ptr {{(nonnull )?}}@__asyncmem_adapt_more_saving, ptr
// CHECK: more.move:
// CHECK: @llvm.umin.i64(

// ASM: call t0, __asyncmem_adapt_more_saving
// ASM-NOT: call t0, __asyncmem_adapt_more_saving
// ASM-LABEL: __asyncmem_adapt_more_saving:
// ASM: sd ra, 0(sp)
// ASM: call __asyncmem_adapt_more
// ASM: jr t0

// X86-NOT: adapt_more
void counts(uint64_t *x, const uint64_t *k, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    x[k[i]]++;
  }
}

uint64_t sums(const uint64_t *x, const uint64_t *k, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    sum += x[k[i]];
  }
  return sum;
}

// The task of the last iteration has a result: another one must not become the last.
uint64_t last(uint64_t *x, const uint64_t *k, uint64_t n) {
  uint64_t seen = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    seen = ++x[k[i]];
  }
  return seen;
}

void until_zero(uint64_t *restrict x, const uint64_t *restrict k) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; k[i]; ++i) {
    __builtin_is_remote(x);
    x[k[i]]++;
  }
}
