// SPDX-License-Identifier: Apache-2.0
// An operator that is not the loop's is an error, whatever the type of the variable is.
// RUN: not %clangxx %plugin -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

// CHECK: :[[#@LINE+3]]:{{[0-9]+}}: error: '#pragma asyncmem': unknown operator; known are + - * & | ^ && || min max
uint64_t unknown(uint64_t *a, int n) {
  uint64_t m = 1;
#pragma asyncmem num_task(4) reduction(/ : m)
  for (int i = 0; i < n; ++i)
    m += a[i];
  return m;
}
// CHECK: :[[#@LINE+5]]:7: error: '#pragma asyncmem': the loop updates 'm' by '*', its clause is reduction(+: m)
template <typename T> T product(T *a, int n) {
  T m = 1;
#pragma asyncmem num_task(4) reduction(+ : m)
  for (int i = 0; i < n; ++i)
    m *= a[i];
  return m;
}
template long product<long>(long *, int);
template float product<float>(float *, int);
// CHECK: :[[#@LINE+6]]:7: error: '#pragma asyncmem': the loop updates 'm' by '+', its clause is reduction(*: m)
// CHECK: :[[#@LINE+6]]:6: error: '#pragma asyncmem': the loop updates 'k' by '+', its clause is reduction(max: k)
uint64_t two(uint64_t *a, int n) {
  uint64_t m = 1, k = 0;
#pragma asyncmem num_task(4) reduction(* : m) reduction(max : k)
  for (int i = 0; i < n; ++i) {
    m = m + a[i];
    k++;
  }
  return m + k;
}
// What the operator stands for, in whatever form.
// CHECK-NOT: error:
uint64_t right(uint64_t *a, int n) {
  uint64_t m = 1, k = 0, x = 0;
  bool all = true;
#pragma asyncmem num_task(4) reduction(+ : m, k) reduction(max : x) reduction(&& : all)
  for (int i = 0; i < n; ++i) {
    m = a[i] + m;
    --k;
    k -= 3;
    m = m + 3 + a[i];
    x = x < a[i] ? a[i] : x;
    all = all && a[i];
    all &= a[i] != 3;
  }
  return m + k + x + all;
}
// CHECK: 4 errors generated
