// SPDX-License-Identifier: Apache-2.0
// Variables of two functions of a recursion lie at the same bytes of a level, one of doubles, one of integers: what the optimizer
// knows of their types must not keep accesses to them apart.
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

static uint64_t of_doubles(const uint64_t *a, uint64_t at, uint64_t depth);

__attribute__((noinline)) static uint64_t of_integers(const uint64_t *a, uint64_t at, uint64_t depth) {
  uint32_t seen[4] = {1, 2, 3, 4};
  seen[a[at] & 3] = (uint32_t)at;
  return depth ? of_doubles(a, a[at], depth - 1) + of_doubles(a, at / 2, depth - 1) + seen[at & 3] : seen[at & 3];
}

__attribute__((noinline)) static uint64_t of_doubles(const uint64_t *a, uint64_t at, uint64_t depth) {
  double seen[4] = {1, 2, 3, 4};
  seen[a[at] & 3] = (double)at;
  return depth ? of_integers(a, a[at], depth - 1) + of_integers(a, at / 2, depth - 1) + (uint64_t)seen[at & 3] : (uint64_t)seen[at & 3];
}

// CHECK-LABEL: define {{.*}} @sums(
// CHECK-NOT: {{(load|store) (double|i32).* !tbaa}}
// CHECK: store double %{{.*}}
// CHECK-NOT: {{(load|store) (double|i32).* !tbaa}}
// CHECK-LABEL: define {{.*}} @of_
void sums(const uint64_t *a, uint64_t *restrict out, uint64_t count, uint64_t depth) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(a);
    out[i] = of_doubles(a, i, depth);
  }
}
