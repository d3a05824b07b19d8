// SPDX-License-Identifier: Apache-2.0
// A variable of an inner loop that keeps its value or gets a new one is saved only where it gets one; where the target selects
// without a branch it stays a select.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv -Xclang -target-feature -Xclang +experimental-zicond %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=SELECT %s
#include "asyncmem.h"

// Each of the two ways saves one of low and high. Polls that find nothing are weighed against the tasks' waits.
// CHECK-LABEL: @search(
// CHECK: callbr
// CHECK-NEXT: to label {{.*}}!prof
// CHECK: icmp ult i64
// CHECK-NOT: select
// CHECK: store i64 {{.*}} !asyncmem.context
// CHECK-NEXT: br label
// CHECK: store i64 {{.*}} !asyncmem.context
// CHECK-NEXT: br label
// CHECK-NOT: select
// CHECK: attributes
// SELECT: select i1
// SELECT: select i1
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
