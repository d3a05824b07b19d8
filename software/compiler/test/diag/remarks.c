// SPDX-License-Identifier: Apache-2.0
// What remarks and optimisation records say about loops split and not split.
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass-missed=asyncmem -Wno-pass-failed -fsave-optimization-record=yaml -foptimization-record-file=%t.yaml -foptimization-record-passes=asyncmem 2>&1 | FileCheck --check-prefix=MISSED %s
// RUN: FileCheck --check-prefix=RECORD %s < %t.yaml
// Loops that stay serial are reported first.
#include "asyncmem.h"

// MISSED-NOT: warning:
// MISSED: :[[#@LINE+3]]:9: remark: loop left serial: it calls 'unknown', whose effects are unknown; define it in this file (line [[#@LINE+6]], column 5) [-Rpass-missed=asyncmem]
void unknown(uint64_t);
void unknown_call(uint64_t *a, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    unknown(a[i]);
  }
}
// RECORD: --- !Missed
// RECORD: Name:            LoopNotSplit
// RECORD: Function:        unknown_call
// RECORD: --- !Analysis
// RECORD: Name:            Suspension
// RECORD: Line: [[#@LINE+13]]
// RECORD: Accesses:        '1'
// RECORD: --- !Passed
// RECORD: Name:            LoopSplit
// RECORD: Line: [[#@LINE+6]]
// RECORD: Function:        update
// RECORD: Tasks:           '16'
// RECORD: FrameBytes:
// RECORD: Suspensions:     '1'
void update(uint64_t *a, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i * 8] += i;
  }
}

// Which element is next, and whether there is one, is itself remote.
// MISSED: :[[#@LINE+8]]:41: remark: this remote load decides about the next iteration: it is made in program order before a task starts, and blocks [-Rpass-missed=asyncmem]
// MISSED-NOT: {{remark: this remote load}}
struct item {
  struct item *next;
  uint64_t *value;
};
void list(struct item *restrict head, uint64_t *restrict sums) {
#pragma asyncmem num_task(16)
  for (struct item *p = head; p; p = p->next) {
    __builtin_is_remote(p);
    *sums += *p->value;
  }
}
