// SPDX-License-Identifier: Apache-2.0
// What is said of a place is said once: not by a warning and a remark, not for each copy of an inlined loop, not for each instance of a template. The
// record has every copy. The option behind a warning is one that clang takes.
// RUN: %clangxx %plugin -O2 -c %s -o %t.o -Rpass=asyncmem -Rpass-missed=asyncmem -Rpass-analysis=asyncmem -fsave-optimization-record=yaml -foptimization-record-file=%t.yaml -foptimization-record-passes=asyncmem > %t.log 2>&1
// RUN: FileCheck %s < %t.log
// RUN: grep -c 'loop left serial' %t.log | FileCheck %s -check-prefix=ONE
// RUN: grep -c 'a task waits here' %t.log | FileCheck %s -check-prefix=ONE
// RUN: grep -c 'loop split into tasks' %t.log | FileCheck %s -check-prefix=ONE
// ONE: {{^1$}}
// RUN: grep -c 'Name: *LoopSplit' %t.yaml | FileCheck %s -check-prefix=TWO
// TWO: {{^2$}}
// RUN: %clangxx %plugin -O2 -c %s -o %t.o -Rpass-missed=asyncmem -Wno-pass-failed 2>&1 | FileCheck %s -check-prefix=REMARK
// REMARK: remark: loop left serial: it calls 'unknown(unsigned long)', which may throw; define it in this file, noexcept
// RUN: not %clangxx %plugin -O2 -c %s -o %t.o -Werror=pass-failed 2>&1 | FileCheck %s -check-prefix=ERROR
// ERROR-NOT: unknown warning option
// ERROR: error: loop left serial: {{.*}} [-Werror,-Wpass-failed]
// RUN: not %clangxx %plugin -O2 -DINVALID -c %s -o %t.o 2>&1 | FileCheck %s -check-prefix=INVALID
#include "asyncmem.h"

void unknown(uint64_t);

// CHECK-DAG: warning: loop left serial: it calls 'unknown(unsigned long)', which may throw; define it in this file, noexcept (line [[#@LINE+6]], column 5) [-Wpass-failed]
template <typename T> void refused(T *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] += 1;
    unknown(i);
  }
}
template void refused<uint64_t>(uint64_t *, int);
template void refused<uint32_t>(uint32_t *, int);

// CHECK-DAG: remark: loop split into tasks
static inline void update(uint64_t *a, const uint64_t *at, int n) {
#pragma asyncmem num_task(4) distinct_update(a)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[at[i]] += 1;
  }
}
void first(uint64_t *a, const uint64_t *at) { update(a, at, 77); }
void second(uint64_t *a, const uint64_t *at) { update(a, at, 79); }

#ifdef INVALID
// INVALID: :[[#@LINE+2]]:27: error: '#pragma asyncmem': num_task must be a constant from 1 to 512
template <typename T> void too_many(T *a, int n) {
#pragma asyncmem num_task(600)
  for (int i = 0; i < n; ++i)
    a[i] += 1;
}
template void too_many<uint64_t>(uint64_t *, int);
template void too_many<uint32_t>(uint32_t *, int);
// INVALID: 1 error generated
#endif
