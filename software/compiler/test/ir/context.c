// SPDX-License-Identifier: Apache-2.0
// What is saved and reloaded, and what is not.
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// Three suspensions in a chain: i is saved once, at the start, and loaded twice,
// for the first word's address and at the end.
// CHECK-LABEL: @unchanged
// CHECK: store i64 {{.*}} !asyncmem.context
// CHECK-NOT: store i64 {{.*}} !asyncmem.context
// CHECK-COUNT-2: load i64, {{.*}} !asyncmem.context
// CHECK-NOT: load i64, {{.*}} !asyncmem.context
// CHECK-LABEL: @walk
void unchanged(const uint64_t *restrict b, uint64_t *restrict out,
               uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(b);
    out[i] = b[b[b[i] & 1023] & 1023];
  }
}

// The frame holds the pointer and i; the walk saves the pointer alone, and i is
// loaded only behind the loop.
// CHECK: store i64 {{.*}} !asyncmem.context
// CHECK: store ptr {{.*}} !asyncmem.context
// CHECK: @llvm.prefetch
// CHECK-NOT: store i64 {{.*}} !asyncmem.context
// CHECK: @llvm.prefetch
// CHECK: load ptr, {{.*}} !asyncmem.context
// CHECK-NOT: load i64, {{.*}} !asyncmem.context
// CHECK: br i1
struct node {
  struct node *next;
};
void walk(struct node **lists, void **last, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    struct node *p = lists[i];
    __builtin_is_remote(p);
    while (p->next)
      p = p->next;
    last[i] = p;
  }
}
