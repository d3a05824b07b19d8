// SPDX-License-Identifier: Apache-2.0
// Copies of a loop get places of their own for a variable of the body (exec/variables_of_copies.c), but not where the way out of one
// still reads what an iteration left there.
// RUN: %clang %plugin -O2 -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"
#include <stdint.h>

uint64_t found(uint64_t *restrict r, uint64_t n) {
  uint64_t sum = 0;
  for (uint64_t o = 0; o < 3; ++o)
    // CHECK: [[#@LINE+1]]:9: warning: loop left serial: the address of a variable of the loop body is used where it cannot follow the task; use its value
#pragma asyncmem num_task(16)
    for (uint64_t i = o; i < n; i += 3) {
      __builtin_is_remote(r);
      uint64_t t[4] = {i, o, i + o, 3};
      if (r[i * 3 & 1023] % 97 == 11) {
        t[i & 3] += i;
        sum += t[o] * 3 + t[i & 3];
        break;
      }
    }
  return sum;
}
// CHECK-NOT: loop split
