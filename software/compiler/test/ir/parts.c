// SPDX-License-Identifier: Apache-2.0
// The line table says which code is scheduler and which moves context, with each scheduler; the code is the same without it.
// RUN: %clang %plugin %riscv %sched=static -gline-tables-only -O2 -c %s -o %t.static.o
// RUN: llvm-objdump -d -l --no-show-raw-insn %t.static.o | FileCheck --check-prefixes=ALL %s
// RUN: %clang %plugin %riscv %sched=getfin -gline-tables-only -O2 -c %s -o %t.getfin.o
// RUN: llvm-objdump -d -l --no-show-raw-insn %t.getfin.o | FileCheck --check-prefixes=ALL %s
// RUN: %clang %plugin %riscv %sched=bafin -gline-tables-only -O2 -c %s -o %t.bafin.o
// RUN: llvm-objdump -d -l --no-show-raw-insn %t.bafin.o | FileCheck --check-prefixes=ALL %s
// RUN: %clang %plugin %riscv %sched=bafin -gline-tables-only -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// RUN: %clang %plugin %riscv %sched=none -gline-tables-only -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// RUN: %clang %plugin %riscv %sched=bafin -gline-tables-only -O2 -c %s -o %t.o
// RUN: llvm-objdump -d %t.o > %t.with
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o
// RUN: llvm-objdump -d %t.o > %t.without
// RUN: diff %t.with %t.without
// RUN: llvm-objdump -h %t.o | FileCheck --check-prefix=SECTIONS %s
#include "asyncmem.h"

// What the task keeps (`x`) is context.
// IR: store i64 {{.*}}, !dbg ![[CONTEXT:[0-9]+]],{{.*}} !asyncmem.context
// IR-DAG: ![[CONTEXT]] = !DILocation(line: 1, scope: ![[PART:[0-9]+]], inlinedAt:
// IR-DAG: ![[PART]] = distinct !DISubprogram(name: "coroamu.context"
// IR-DAG: distinct !DISubprogram(name: "coroamu.scheduler"
// ALL-DAG: coroamu.scheduler:1
// ALL-DAG: coroamu.context:1
// ALL-DAG: parts.c:[[#@LINE+10]]
// NONE-NOT: coroamu
// Without unwind tables in one function, debug information brings none into what is loaded.
// SECTIONS-NOT: .eh_frame
uint64_t f(uint64_t *a, uint64_t *b, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i * 8 + 7] * 5;
    uint64_t y = a[x & 1023];
    b[i] = y ^ (x << 3);
  }
  return n;
}
