// SPDX-License-Identifier: Apache-2.0
// RUN: not %clang %plugin %sched=best -c %s -o %t.o 2>&1 | FileCheck --check-prefix=SCHED %s
// RUN: not %clang %plugin -fplugin-arg-asyncmem-tasks=600 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TASKS %s
// RUN: not %clang %plugin -fplugin-arg-asyncmem-speed -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NAME %s
// RUN: %clang %plugin %sched=bafin -O2 -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TARGET %s
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-tasks=5 -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck --check-prefix=OVERRIDE %s
// RUN: %clang %plugin %sched=none -O2 -Werror -c %s -o %t.o
// RUN: %clang %plugin -O0 -Werror -S -emit-llvm %s -o - | FileCheck --check-prefix=O0 %s
// RUN: %clang %includes -O2 -Werror -Wno-unknown-pragmas -c %s -o %t.o
#include "asyncmem.h"

// SCHED: error: asyncmem: sched=best is unknown: use none, static, getfin, bafin or check
// TASKS: error: asyncmem: tasks=600 is not a number from 1 to 512
// NAME: error: asyncmem: option 'speed' is unknown
// TARGET: warning: loop left serial: the getfin and bafin schedulers need the target riscv64
// OVERRIDE: remark: loop split into tasks: 5 tasks
// O0-NOT: __asyncmem_mark
// O0-NOT: __builtin_is_remote
void f(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] *= 3;
  }
}
