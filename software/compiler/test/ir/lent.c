// SPDX-License-Identifier: Apache-2.0
// Under Linux the AMU is lent to threads: each loop asks for it before it chooses, and has a plain copy for threads without it, also if the choice is off.
// Without a system nobody is asked.
// RUN: %clang %plugin %riscv --target=riscv64-linux-gnu %sched=bafin -O2 -S -emit-llvm %s -o - | FileCheck --check-prefixes=LENT,TURNS %s
// RUN: %clang %plugin %riscv --target=riscv64-linux-gnu %sched=getfin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck \
// RUN:   --check-prefixes=LENT,ALWAYS %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=BARE %s
// RUN: %clang %plugin %riscv --target=riscv64-linux-gnu %sched=static -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=STATIC %s
#include "asyncmem.h"

// TURNS: @asyncmem.adapt = internal global [20 x i64] [i64 0, i64 1, i64 16, i64 65536, i64 0, i64 0,
// ALWAYS: @asyncmem.adapt = internal global [20 x i64] [i64 0, i64 1, i64 16, i64 0, i64 1099511627776, i64 3,
// LENT-NOT: asyncmem_start_amu
// LENT-LABEL: define {{.*}}@sum
// LENT: call void @__asyncmem_adapt_start
// LENT-LABEL: define internal {{.*}}@__asyncmem_adapt_start(
// LENT: call i64 @__asyncmem_adapt_may_use()
// LENT: call void @__asyncmem_adapt_use(i64
// BARE-NOT: asyncmem_adapt_{{may_use|use}}
// BARE: asyncmem_start_amu
// BARE: define internal {{.*}}@__asyncmem_adapt_start(
// BARE-NOT: asyncmem_adapt_{{may_use|use}}
// STATIC-NOT: asyncmem_adapt
uint64_t sum(const uint64_t *a, const uint32_t *at, uint64_t n) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    all += a[at[i]];
  }
  return all;
}
