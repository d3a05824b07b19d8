// SPDX-License-Identifier: Apache-2.0
// RUN: not %clang %plugin -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

#define TASKS (8 * 8)
void f(uint64_t *a, int n) {
// CHECK: :[[#@LINE+1]]:27: error: '#pragma asyncmem': num_task must be a constant from 1 to 512
#pragma asyncmem num_task(n)
  for (int i = 0; i < n; ++i)
    a[i]++;
// CHECK: :[[#@LINE+1]]:27: error: '#pragma asyncmem': num_task must be a constant from 1 to 512
#pragma asyncmem num_task(0)
  for (int i = 0; i < n; ++i)
    a[i]++;
// CHECK: :[[#@LINE+1]]:27: error: '#pragma asyncmem': num_task must be a constant from 1 to 512
#pragma asyncmem num_task(513)
  for (int i = 0; i < n; ++i)
    a[i]++;
// CHECK-NOT: warning:
// CHECK: :[[#@LINE+1]]:27: error: '#pragma asyncmem': num_task must be a constant from 1 to 512
#pragma asyncmem num_task(3.5)
  for (int i = 0; i < n; ++i)
    a[i]++;
#pragma asyncmem num_task(TASKS)
  for (int i = 0; i < n; ++i)
    a[i]++;
// CHECK: :[[#@LINE+1]]:9: error: '#pragma asyncmem': expected a for, while or do loop behind it
#pragma asyncmem num_task(4)
  a[0]++;
}
// CHECK: 5 errors generated
