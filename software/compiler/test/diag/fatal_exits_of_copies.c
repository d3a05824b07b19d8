// SPDX-License-Identifier: Apache-2.0
// LLVM makes two loops of this one, with a table and without (seed 34240). They share the checks that end the program, and in
// the one without a block of its own leads to such a check: an exit like the check itself, whether the other loop has become
// tasks in this function before it, as on trial, or in one of its own.
// RUN: %clang %plugin -O3 -fsanitize=undefined -fno-sanitize-recover=all -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

// CHECK-COUNT-2: [[#@LINE+3]]:9: remark: loop split into tasks: 8 tasks, {{.*}}, or the plain loop, chosen at run time
uint64_t sum(const uint64_t *a, const uint64_t *b, const uint32_t *table, uint64_t n) {
  uint64_t all = 1;
#pragma asyncmem num_task(8) shared_var(all)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    uint64_t x = a[i & 1023];
    all += x + 3 * (x & 1 ? b[table[i]] : i);
  }
  return all;
}
