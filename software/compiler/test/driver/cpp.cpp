// SPDX-License-Identifier: Apache-2.0
// RUN: %coroamu_cxx -O2 -std=c++20 %s -o %t.x86 -Rpass=asyncmem 2>&1 | FileCheck %s -check-prefix=SPLIT
// SPLIT: loop split into tasks
// RUN: %t.x86 | FileCheck %s
// RUN: %coroamu_cxx -O2 -masync=bafin --target=riscv64-unknown-elf %s -o %t.elf
// RUN: %nhg_iss --elf %t.elf | FileCheck %s
// CHECK: sum 90
#include "asyncmem.h"
#include <stdio.h>
#include <utility>

int main() {
  using Pair = std::pair<uint32_t, uint64_t>;
  Pair *remote = static_cast<Pair *>(remote_alloc(10 * sizeof(Pair)));
  for (uint32_t i = 0; i < 10; ++i)
    remote[i] = {i, i};
  uint64_t sum = 0;
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < 10; ++i) {
    __builtin_is_remote(remote);
    auto [first, second] = remote[i * i % 10];
    sum += first + second;
  }
  printf("sum %lu\n", static_cast<unsigned long>(sum));
}
