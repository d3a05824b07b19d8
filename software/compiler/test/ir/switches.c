// SPDX-License-Identifier: Apache-2.0
// What a switch costs on the AMU: one address for frame and slot.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// The slot is found from the frame's address: no shift by 39, one by 43 for the ID.
// CHECK-LABEL: @update(
// CHECK: asm sideeffect ".insn r CUSTOM_0, 5
// CHECK-NOT: lshr i64 {{.*}}, 39
// CHECK: lshr i64 {{.*}}, 43
// CHECK-NOT: lshr i64 {{.*}}, 39
void update(uint64_t *table, uint64_t n) {
#pragma asyncmem num_task(256) lossy_update(table)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    table[x >> 48] ^= x;
  }
}
