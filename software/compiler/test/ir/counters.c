// SPDX-License-Identifier: Apache-2.0
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off -fplugin-arg-asyncmem-count -O2 %s %runtime -o %t
// RUN: %t | FileCheck %s
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
// OFF-NOT: store i64 {{.*}} @__asyncmem_switches
#include "asyncmem.h"
#include <stdio.h>

__attribute__((noinline)) void f(uint64_t *a, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i * 8] ^= i;
  }
}

// One suspension an iteration; one value saved and reloaded around each.
// CHECK: 100 switches, 200 context operations
int main(void) {
  f(remote_alloc(100 * 64), 100);
  if (&__asyncmem_switches)
    printf("%lu switches, %lu context operations\n", __asyncmem_switches,
           __asyncmem_context_ops);
  return 0;
}
