// SPDX-License-Identifier: Apache-2.0
// What is stored as it was loaded stays where it is in the slot: the core neither loads nor stores it there.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=fields -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// Two words, both requests of 16 bytes.
// CHECK-LABEL: @copies(
// CHECK: callbr
// CHECK: CUSTOM_0, 0, 0, x0
// CHECK-NOT: store
// CHECK: CUSTOM_0, 1, 0, x0
// CHECK-LABEL: @changes(
struct pair {
  uint64_t a, b;
};

void copies(struct pair *to, const struct pair *from, const uint32_t *key, uint64_t n) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[key[i]];
  }
}

// Not the other way round, nor if one of the words is computed.
// CHECK: callbr
// CHECK: store i64 %{{[0-9]+}}, ptr %{{[0-9]+}}, align {{8|16}}, !dbg !{{[0-9]+}}, !alias.scope !{{[0-9]+}}, !noalias !{{[0-9]+$}}
// CHECK: CUSTOM_0, 1, 0, x0
// CHECK-LABEL: @swaps(
void changes(struct pair *to, const struct pair *from, const uint32_t *key, uint64_t n) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    struct pair x = from[key[i]];
    to[i].a = x.a;
    to[i].b = x.b + 1;
  }
}

// CHECK: callbr
// CHECK: store i64 %{{[0-9]+}}, ptr %{{[0-9]+}}, align {{8|16}}, !dbg !{{[0-9]+}}, !alias.scope !{{[0-9]+}}, !noalias !{{[0-9]+$}}
// CHECK: CUSTOM_0, 1, 0, x0
void swaps(struct pair *to, const struct pair *from, const uint32_t *key, uint64_t n) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    struct pair x = from[key[i]];
    to[i].a = x.b;
    to[i].b = x.a;
  }
}
