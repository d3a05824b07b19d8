// SPDX-License-Identifier: Apache-2.0
// -Rpass-missed says where a call reads remote memory: tasks do not switch in it. What the compiler compares or reads by code of its own is none.
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass-missed=asyncmem 2>&1 | FileCheck %s
#include "asyncmem.h"
#include <string.h>

uint64_t count(const char *const *names, const char *wanted, const uint64_t *keys, uint64_t n) {
  uint64_t found = 0;
#pragma asyncmem num_task(16) reduction(+ : found)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(names);
    __builtin_is_remote(keys);
    const char *name = names[i];
    __builtin_is_remote(name);
    // CHECK: reading_calls.c:[[#@LINE+1]]:{{[0-9]+}}: remark: the core waits here for remote memory that 'strcoll' reads; tasks wait only at accesses of the loop itself
    found += strcoll(name, wanted) == 0;
    // CHECK-NOT: the core waits
    found += memcmp(&keys[2 * i], wanted, 16) == 0;
    found += strcmp(name, wanted) == 0;
    found += strlen(wanted) == i;
  }
  return found;
}
