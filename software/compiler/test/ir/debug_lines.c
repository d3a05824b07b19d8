// SPDX-License-Identifier: Apache-2.0
// Each statement of the loop keeps its line in the object, and no generated
// instruction is without one.
// RUN: %clang %plugin -g -O2 -c %s -o %t.o
// RUN: llvm-objdump -d -l --no-show-raw-insn %t.o | FileCheck --check-prefix=LINES %s
// RUN: %clang %plugin %riscv %sched=bafin -g -O2 -c %s -o %t.riscv.o
// RUN: llvm-objdump -d -l --no-show-raw-insn %t.riscv.o | FileCheck --check-prefix=LINES %s
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -g -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
#include "asyncmem.h"

// LINES-DAG: debug_lines.c:[[#@LINE+7]]
// LINES-DAG: debug_lines.c:[[#@LINE+7]]
// LINES-DAG: debug_lines.c:[[#@LINE+7]]
void f(uint64_t *a, uint64_t *b, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i * 8];
    uint64_t y = x * 5 + i;
    b[i] = y ^ (x << 3);
  }
}

// IR: @f(
// IR: call {{.*}}asm sideeffect {{.*}}, !dbg
// IR-NOT: call {{.*}}asm sideeffect {{[^!]*$}}
