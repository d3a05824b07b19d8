// SPDX-License-Identifier: Apache-2.0
// A choice between values that remote data makes, without a branch: cmov, or czero.nez and czero.eqz of Zicond. The plain loop keeps its branches,
// and so do prefetching tasks of NH-G, and a value that no further pass of the loop gets.
// RUN: %clang %plugin -O2 -S %s -o - | FileCheck %s
// RUN: %clang %plugin -fplugin-arg-asyncmem-selects=plain -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=PLAIN %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -S %s -o - | FileCheck --check-prefix=ZICOND %s
// RUN: %clang %plugin %riscv %sched=getfin -O2 -S %s -o - | FileCheck --check-prefix=ZICOND %s
// RUN: %clang %plugin %riscv %sched=static -O2 -S %s -o - | FileCheck --check-prefix=BRANCHES %s
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-selects=plain -O2 -S %s -o - | FileCheck --check-prefix=BRANCHES %s
#include "asyncmem.h"

// CHECK-LABEL: search:
// CHECK: cmov
// CHECK: cmov
// PLAIN-NOT: !unpredictable
// ZICOND-COUNT-4: {{.insn r 51, [57], 7,}}
// ZICOND-NOT: .insn r 51,
// BRANCHES-NOT: .insn r 51,
void search(const uint64_t *sorted, const uint64_t *keys, uint64_t *restrict found, uint64_t words, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(sorted);
    uint64_t low = 0, high = words;
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      if (sorted[middle] < keys[i])
        low = middle + 1;
      else
        high = middle;
    }
    found[i] = low;
  }
}

void sign(const int64_t *far, const uint64_t *order, int64_t *restrict sum, int64_t a, int64_t b, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(far);
    sum[i] += far[order[i]] > 7 ? a : b;
  }
}
