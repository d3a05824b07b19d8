// SPDX-License-Identifier: Apache-2.0
// The blocks of the paper's figure 6 for each scheduler.
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off %riscv %sched=static -O2 -S %s -o - | FileCheck --check-prefix=STATIC %s
// RUN: %clang %plugin %riscv %sched=getfin -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=GETFIN %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=BAFIN %s
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off %sched=static -O2 -S %s -o - | FileCheck --check-prefix=X86 %s
#include "asyncmem.h"

void f(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i * 8] ^= i;
  }
}

// STATIC: prefetch.w
// STATIC-NOT: jr
// X86: prefetcht0

// One address word a request: size 8 in the top bits. aconfig, aload, a poll,
// an indirect jump, astore.
// GETFIN: alloca [64 x i8]
// GETFIN: asm sideeffect ".insn r CUSTOM_0, 5, 0, x0, $0, $1"
// GETFIN-DAG: asm sideeffect ".insn r CUSTOM_0, 0, 0, x0, $0, $1"
// GETFIN-DAG: asm sideeffect ".insn r CUSTOM_0, 2, 0, $0, x0, x0"
// GETFIN-DAG: indirectbr
// GETFIN-DAG: asm sideeffect ".insn r CUSTOM_0, 1, 0, x0, $0, $1"

// One frame holds the private value alone, no resume address.
// BAFIN-NOT: indirectbr
// BAFIN-DAG: callbr i64 asm sideeffect ".insn r CUSTOM_0, 3, 0, $0, x0, x0", "=r,!i,!i,~{memory}"
// BAFIN-DAG: lshr i64 %{{.*}}, 43
// BAFIN-NOT: lshr i64 %{{.*}}, 39
