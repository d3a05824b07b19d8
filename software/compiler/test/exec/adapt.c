// SPDX-License-Identifier: Apache-2.0
// Serial or tasks by measurement. The golden model's clock counts instructions,
// so the decision is known: iterations of few instructions an access stay
// serial, those of many become tasks.
// RUN: %same_results %s %t
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt -fplugin-arg-asyncmem-count -O2 -c %s -o %t.o
// RUN: %link_riscv %t.o -o %t.elf
// RUN: %iss --elf %t.elf --adversarial 5 | FileCheck %s
// RUN: %clang %plugin %sched=static -fplugin-arg-asyncmem-adapt -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
#include "common.h"

enum { COUNT = 500 };

// IR: @asyncmem.choice = internal global i32 0
// IR: call i64 @llvm.readcyclecounter()
__attribute__((noinline)) static uint64_t quick(uint64_t *a, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[i] ^= i;
  }
  return sum;
}

__attribute__((noinline)) static uint64_t slow(uint64_t *a, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i];
    for (int j = 0; j < 200; ++j)
      x = mix(x);
    a[i] = x;
    sum += x;
  }
  return sum;
}

static void report(const char *name) {
#ifdef __ASYNCMEM__
  if (&__asyncmem_switches) {
    printf("%s: %lu switches\n", name, (unsigned long)__asyncmem_switches);
    __asyncmem_switches = 0;
  }
#endif
}

// The probe runs the first iterations, also of loops that end in it; decisions
// hold for later runs, then the next one probes again.
// CHECK: quick: 0 switches
// CHECK: slow: {{[1-9][0-9]+}} switches
int main(void) {
  uint64_t *a = remote_words(COUNT), sum = 0;
  sum += quick(a, 1) + quick(a, 5);
  for (int run = 0; run < 40; ++run)
    sum += quick(a, COUNT);
  report("quick");
  sum += slow(a, 3);
  for (int run = 0; run < 3; ++run)
    sum += slow(a, COUNT);
  report("slow");
  printf("%lx\n", (unsigned long)sum);
  print_digest("a", a, COUNT * 8);
  return 0;
}
