// SPDX-License-Identifier: Apache-2.0
// A program that uses a name of the code for the choice at run time is refused.
// RUN: not %clang %plugin %sched=static -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang %plugin %sched=static -fplugin-arg-asyncmem-adapt=off -O2 -c %s -o %t.o
#include "asyncmem.h"

// CHECK: error: {{.*}}asyncmem: the program uses the reserved name __asyncmem_adapt_next; rename it, or compile with adapt=off
long __asyncmem_adapt_next;

long f(const long *a, const int *index, int n) {
  long sum = 0;
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[index[i]];
  }
  return sum;
}
