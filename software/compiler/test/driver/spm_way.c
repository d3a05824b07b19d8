// The SPM way is taken from L2 by programs with loops that use the AMU, before main, and by no others.
// RUN: %coroamu_cc --target=riscv64-unknown-elf -masync=off -O2 %s -o %t.off
// RUN: %iss --elf %t.off | FileCheck --check-prefix=KEPT %s
// RUN: %coroamu_cc --target=riscv64-unknown-elf -masync=static -O2 %s -o %t.static
// RUN: %iss --elf %t.static | FileCheck --check-prefix=KEPT %s
// RUN: %coroamu_cc --target=riscv64-unknown-elf -masync=getfin -O2 %s -o %t.getfin
// RUN: %iss --elf %t.getfin | FileCheck --check-prefix=TAKEN %s
// RUN: %coroamu_cc --target=riscv64-unknown-elf -masync=full -O2 %s -o %t.full
// RUN: %iss --elf %t.full | FileCheck --check-prefix=TAKEN %s
// A loop that is refused, here for its volatile access, needs no AMU; two units with loops take the way twice, which is once.
// RUN: %coroamu_cc --target=riscv64-unknown-elf -masync=full -O2 -DREFUSED %s -o %t.refused 2>/dev/null
// RUN: %iss --elf %t.refused | FileCheck --check-prefix=KEPT %s
// RUN: %coroamu_cc --target=riscv64-unknown-elf -masync=bafin -O2 -DSECOND -c %s -o %t.o
// RUN: %coroamu_cc --target=riscv64-unknown-elf -masync=bafin -O2 %s %t.o -o %t.two
// RUN: %iss --elf %t.two | FileCheck --check-prefix=TAKEN %s
// KEPT: 1 in a constructor, 1 in main, sum 2016
// TAKEN: 3 in a constructor, 3 in main, sum 2016
#include "asyncmem.h"
#include "remote.h"
#include <stdio.h>
#include <stdlib.h>

#ifdef REFUSED
static uint64_t last;
#endif

#ifdef SECOND
void other(uint64_t *a, uint64_t n) {
#else
static uint64_t amuctl(void) {
  uint64_t value;
  __asm__ volatile("csrr %0, %1" : "=r"(value) : "i"(NHG_CSR_AMUCTL));
  return value;
}

static uint64_t in_constructor;
__attribute__((constructor)) static void early(void) { in_constructor = amuctl(); }

static void add(uint64_t *a, uint64_t n) {
#endif
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
#ifdef REFUSED
    *(volatile uint64_t *)&last = i;
#endif
    a[i * 8] += i;
  }
}

#ifndef SECOND
int main(void) {
  enum { N = 64 };
  uint64_t *a = remote_alloc(N * 8 * sizeof *a), sum = 0;
  for (unsigned i = 0; i < N; ++i)
    a[i * 8] = 0;
  add(a, N);
  for (unsigned i = 0; i < N; ++i)
    sum += a[i * 8];
  printf("%u in a constructor, %u in main, sum %u\n", (unsigned)in_constructor, (unsigned)amuctl(), (unsigned)sum);
}
#endif
