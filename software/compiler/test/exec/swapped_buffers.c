// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
// Two buffers that change places from round to round: what a task writes is in the other one.
#include "common.h"

enum { VERTICES = 300, DEGREE = 4, ROUNDS = 7 };

// CHECK: [[#@LINE+4]]:9: remark: loop split into tasks
// CHECK-NOT: exclusive
__attribute__((noinline)) static uint64_t *spread(uint64_t *from, uint64_t *to) {
  for (int round = 0; round < ROUNDS; ++round) {
#pragma asyncmem num_task(16)
    for (int v = 0; v < VERTICES; ++v) {
      __builtin_is_remote(from);
      __builtin_is_remote(to);
      uint64_t least = from[v];
      for (int e = 0; e < DEGREE; ++e) {
        uint64_t other = from[(v * 7919 + e * 131) % VERTICES];
        if (other < least)
          least = other;
      }
      to[v] = least;
    }
    uint64_t *last = from;
    from = to;
    to = last;
  }
  return from;
}

int main(void) {
  uint64_t *result = spread(remote_words(VERTICES), remote_words(VERTICES));
  print_digest("result", result, VERTICES * sizeof *result);
  return 0;
}
