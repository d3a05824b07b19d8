// SPDX-License-Identifier: Apache-2.0
// The number of live tasks follows the polls: tasks that compute for long find their data there at every poll, so fewer
// live; tasks that do nothing wait, so more do. Results are those of the plain loop.
// RUN: %same_results %s %t
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-live=adapt -fplugin-arg-asyncmem-count -O2 -c %s -o %t.o
// RUN: %link_riscv %t.o -o %t.elf
// RUN: %iss --elf %t.elf --adversarial 5 | FileCheck %s
// RUN: %clang %plugin %riscv %sched=getfin -fplugin-arg-asyncmem-live=adapt -fplugin-arg-asyncmem-count -O2 -c %s -o %t.o
// RUN: %link_riscv %t.o -o %t.elf
// RUN: %iss --elf %t.elf --adversarial 6 | FileCheck %s
// RUN: not %clang %plugin -fplugin-arg-asyncmem-live=x -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
#include "common.h"

// WRONG: asyncmem: live=x is unknown: use grow or adapt
#ifdef __ASYNCMEM__
extern uint64_t __asyncmem_grown __attribute__((weak)), __asyncmem_shrunk __attribute__((weak));
#endif

enum { COUNT = 3000 };

// Rounds of mixing change with the iteration: waiting, computing, waiting.
__attribute__((noinline)) static uint64_t work(uint64_t *a, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(100)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i];
    int rounds = i / 1000 % 2 ? 400 : 0;
    for (int j = 0; j < rounds; ++j)
      x = mix(x);
    a[i] = x + i;
    sum += x;
  }
  return sum;
}

// CHECK: grown by {{[1-9][0-9]+}}, shrunk by {{[1-9][0-9]+}}
int main(void) {
  uint64_t *a = remote_words(COUNT);
  uint64_t sum = work(a, COUNT);
#ifdef __ASYNCMEM__
  if (&__asyncmem_grown)
    printf("grown by %lu, shrunk by %lu\n", (unsigned long)__asyncmem_grown, (unsigned long)__asyncmem_shrunk);
#endif
  printf("%lx\n", (unsigned long)sum);
  print_digest("a", a, COUNT * 8);
  return 0;
}
