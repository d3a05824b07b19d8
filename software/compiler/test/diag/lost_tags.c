// SPDX-License-Identifier: Apache-2.0
// A pass of some compilations alone runs in front of the second phase and no trial has it: it splits the edge that repeats a loop, whose tag gets lost.
// The loop stays serial. Only what clauses have changed cannot be taken back.
// RUN: %clang %plugin -O2 -fcs-profile-generate -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
// RUN: not grep __builtin_is_remote %t.ll
// RUN: %clang %plugin %riscv %sched=bafin -O2 -fcs-profile-generate -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
// RUN: not %clang %plugin -O2 -fcs-profile-generate -DCLAUSE -S %s -o %t.s 2>&1 | FileCheck --check-prefix=CLAUSE %s
#include "../exec/common.h"

// CHECK: [[#@LINE+4]]:9: warning: loop left serial: a pass that its trial did not have has taken its tag, as with
// CHECK-SAME: -fcs-profile-generate; compile the file without [-Wpass-failed]
uint64_t gather(uint64_t *a, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[mix(i) & 1023];
  }
  return sum;
}

#ifdef CLAUSE
uint64_t last(uint64_t *a, int n) {
  uint64_t sum = 0, copy = 0;
  // CLAUSE: [[#@LINE+1]]:9: error: {{.*}}this loop was accepted on trial and is refused now: a pass that its trial did not have
#pragma asyncmem num_task(16) private(copy)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    copy = a[mix(i) & 1023];
    sum += copy;
  }
  return sum;
}
#endif
