// SPDX-License-Identifier: Apache-2.0
// Iterations that read remote arrays in sequence are joined: one request for a line of elements, one group for their stores.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o %t.ll -Rpass-analysis=asyncmem 2>%t.remarks
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: FileCheck %s < %t.ll
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=blocks -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o %t.ll -Rpass-analysis=asyncmem 2>%t.off
// RUN: FileCheck --check-prefix=OFF %s < %t.off
#include "asyncmem.h"

// Elements of 4 bytes may begin inside a word: each has a request of its own then, as in a line that leaves its page.
// CHECK-LABEL: @move(
// CHECK: and i64 %{{.*}}, 7
// CHECK-LABEL: @random(
// REMARK: [[#@LINE+8]]:{{[0-9]+}}: remark: a task waits here: 16 remote accesses in 1 requests of 64 bytes together
// REMARK: [[#@LINE+7]]:{{[0-9]+}}: remark: a task waits here: 16 remote accesses in 16 requests of 64 bytes together
// OFF: [[#@LINE+6]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 4 bytes together
void move(uint32_t *to, const uint32_t *from, uint32_t *restrict next, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[next[from[i] >> 28]++] = from[i];
  }
}

// Not joined: a load that is not in sequence, an inner loop, an update that other iterations may meet in, a short loop.
// REMARK-NOT: remark: a task waits here: {{[0-9][0-9]}} remote
uint64_t random(const uint64_t *table, const uint32_t *keys, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    __builtin_is_remote(keys);
    sum += table[keys[i]];
  }
  return sum;
}

uint64_t rows(const uint64_t *first, const uint64_t *words, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(first);
    __builtin_is_remote(words);
    for (uint64_t k = first[i]; k != 0; k = words[k])
      sum += k;
  }
  return sum;
}

void update(uint64_t *table, const uint64_t *keys, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    __builtin_is_remote(keys);
    table[keys[i]] += 1;
  }
}

void brief(uint64_t *restrict to, const uint64_t *restrict from) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < 24; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[i] + 1;
  }
}
