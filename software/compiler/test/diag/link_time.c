// SPDX-License-Identifier: Apache-2.0
// Before the link some passes are left to that: a loop is tried as it is compiled, so that the counter in memory, which
// else becomes a register, is refused before its clause has changed anything.
// RUN: %clang %plugin -O2 -flto -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LTO
// RUN: %clang %plugin -O2 -flto=thin -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LTO
// RUN: %clang %plugin -O2 -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

// LTO-NOT: error
// LTO: [[#@LINE+4]]:9: warning: loop left serial: every iteration writes the same variable
// CHECK: [[#@LINE+3]]:9: remark: loop split into tasks: 16 tasks
uint64_t count(const uint64_t *a, uint32_t *c, unsigned n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  while (*c < n) {
    __builtin_is_remote(a);
    sum += a[*c * 7 % 50021];
    ++*c;
  }
  return sum;
}
// LTO-NOT: error
// LTO: [[#@LINE+2]]:9: remark: loop split into tasks: 16 tasks
void updates(uint64_t *a, const uint32_t *k, unsigned n) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[k[i]] += i;
  }
}
