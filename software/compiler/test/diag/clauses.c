// SPDX-License-Identifier: Apache-2.0
// RUN: not %clang %plugin -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

void f(uint64_t *a, int n) {
// CHECK: :[[#@LINE+1]]:18: error: '#pragma asyncmem': unknown clause
#pragma asyncmem tasks(4)
  for (int i = 0; i < n; ++i)
    a[i]++;
// CHECK: :[[#@LINE+1]]:27: error: '#pragma asyncmem': expected '(' after the clause's name
#pragma asyncmem num_task 4
  for (int i = 0; i < n; ++i)
    a[i]++;
// CHECK: :[[#@LINE+1]]:38: error: use of undeclared identifier 'missing'
#pragma asyncmem num_task(4) private(missing)
  for (int i = 0; i < n; ++i)
    a[i]++;
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: '#pragma asyncmem': expected 'operator : variables'
#pragma asyncmem num_task(4) reduction(n)
  for (int i = 0; i < n; ++i)
    a[i]++;
}

// Entered by a jump, past the pragma: the label would be one of the statement that the pragma becomes.
int labels(uint64_t *a, int n) {
  int i = 0;
  switch (n) {
  case 9:
#pragma asyncmem num_task(4)
    for (; i < n; ++i) {
      a[i]++;
// CHECK: :[[#@LINE+1]]:5: error: '#pragma asyncmem': a switch around the loop has this label in it; leave the pragma out, or the label
    case 0:
      switch (a[i]) {
      case 1:
        a[i] = 2;
      }
    }
  }
  return i;
}
// CHECK: :[[#@LINE+5]]:52: error: '#pragma asyncmem': shared_var() and reduction() take no structure; use a variable for each of its fields
struct best {
  uint64_t value, index;
};
struct best least(const uint64_t *a, struct best b, int n) {
#pragma asyncmem num_task(4) private(n) shared_var(b)
  for (int i = 0; i < n; ++i)
    if (a[i] < b.value)
      b = (struct best){a[i], (uint64_t)i};
  return b;
}
