// SPDX-License-Identifier: Apache-2.0
// Plain loop or tasks by measurement. The golden model's clock counts instructions, of which tasks always need more: if asked for, the
// plain loop is chosen there after turns as tasks; by default the program notices and goes on as tasks.
// RUN: %same_results %s %t
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=3000 -fplugin-arg-asyncmem-count -O2 -c %s -o %t.o
// RUN: %link_riscv %t.o -o %t.elf
// RUN: %iss --elf %t.elf --adversarial 5 | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-count -O2 -c %s -o %t.default.o
// RUN: %link_riscv %t.default.o -o %t.default.elf
// RUN: %iss --elf %t.default.elf --adversarial 5 | FileCheck --check-prefix=TASKS %s
// RUN: %clang %plugin %sched=static -O2 -S -emit-llvm -Rpass=asyncmem %s -o - 2>&1 | FileCheck --check-prefixes=CHOICE,X86 %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S -emit-llvm -Rpass=asyncmem %s -o - 2>&1 | FileCheck --check-prefixes=CHOICE,RISCV %s
// RUN: %clang %plugin %riscv --target=riscv64-linux-gnu %sched=static -O2 -S -emit-llvm -Rpass=asyncmem %s -o - 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: not %clang %plugin -fplugin-arg-asyncmem-adapt=x -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
#include "common.h"

enum { COUNT = 5000 };

// WRONG: asyncmem: adapt=x is unknown: use off, or the cycles of one measurement, 1 to 1000000000
// CHOICE-DAG: or the plain loop, chosen at run time
// CHOICE-DAG: @asyncmem.adapt = internal global
// CHOICE-DAG: call i64 @llvm.readcyclecounter()
// RISCV-DAG: asm sideeffect "rdinstret $0"
// X86-NOT: rdinstret
// OFF-NOT: chosen at run time
// OFF-NOT: readcyclecounter
__attribute__((noinline)) static uint64_t quick(uint64_t *a, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    for (int k = 0; k < 8; ++k)
      sum += a[(i + k * 512) % COUNT];
  }
  return sum;
}

// A loop that is left in two places, by no count.
__attribute__((noinline)) static int slow(const uint64_t *restrict a, uint64_t *restrict b, int from) {
  uint64_t i = from;
#pragma asyncmem num_task(16)
  while (a[i]) {
    if (++i == COUNT - 2)
      return -1;
    __builtin_is_remote(b);
    uint64_t x = b[i];
    for (int j = 0; j < 200; ++j)
      x = mix(x);
    b[i] = x;
  }
  return i;
}

static void report(const char *name) {
#ifdef __ASYNCMEM__
  if (&__asyncmem_switches) {
    printf("%s: %lu switches\n", name, (unsigned long)__asyncmem_switches);
    __asyncmem_switches = 0;
  }
#endif
}

// Tasks wait at 15,006 and 20,384 places. If the plain loop is chosen, those of the first turns are used, else all.
// CHECK: quick: {{[1-9][0-9]?[0-9]?[0-9]?}} switches
// CHECK: slow: {{[1-9][0-9]?[0-9]?[0-9]?}} switches
// TASKS: quick: 15006 switches
// TASKS: slow: 20384 switches
int main(void) {
  uint64_t *a = remote_words(2 * COUNT), sum = 0;
  for (int i = 0; i < COUNT; ++i)
    a[i] |= 1;
  a[COUNT - 100] = 0;
  sum += quick(a, 1) + quick(a, 5);
  for (int run = 0; run < 3; ++run)
    sum += quick(a, COUNT);
  report("quick");
  for (int run = 0; run < 10; ++run)
    sum += slow(a, a + COUNT, COUNT - 105 + run);
  for (int run = 0; run < 2; ++run)
    sum += slow(a, a + COUNT, run);
  report("slow");
  printf("%lx\n", (unsigned long)sum);
  print_digest("a", a, 2 * COUNT * 8);
  return 0;
}
