// SPDX-License-Identifier: Apache-2.0
// How often an inner loop repeats, as LLVM guesses, is written down before the loop is taken apart at its waits.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// Polls that find nothing are weighed against the tasks' waits, of which an iteration has many.
// CHECK-LABEL: @search(
// CHECK: callbr
// CHECK-NEXT: to label {{.*}}!prof ![[WAITS:[0-9]+]]
// CHECK: br i1 %{{.*}}, !prof ![[REPEATS:[0-9]+]]
// CHECK: ![[WAITS]] = !{!"branch_weights", i32 64, i32 28472}
// CHECK: ![[REPEATS]] = !{!"branch_weights", i32 2080374784, i32 67108864}
void search(const uint64_t *sorted, const uint64_t *restrict keys, uint64_t *restrict found, int n) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(sorted);
    uint64_t low = 0, high = 1000, key = keys[i];
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      if (sorted[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    found[i] = low;
  }
}
