// SPDX-License-Identifier: Apache-2.0
// What a switch costs on the AMU: no multiplication at launch, one address for frame and slot.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// Nothing but the product with the first constant needs the counter: it grows by a sum and tells where the loop ends. It is multiplied once, for its
// last value, before the AMU is configured. The slot is found from the frame's address: no shift by 39, one by 43 for the ID.
// CHECK-LABEL: @update(
// CHECK: mul i64 %{{[0-9]+}}, -7046029254386353131
// CHECK-NOT: mul i64 {{.*}}, -7046029254386353131
// CHECK: asm sideeffect ".insn r CUSTOM_0, 5
// CHECK-NOT: mul i64 {{.*}}, -7046029254386353131
// CHECK-NOT: lshr i64 {{.*}}, 39
// CHECK: lshr i64 {{.*}}, 43
// CHECK-NOT: mul i64 {{.*}}, -7046029254386353131
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

// The counter is needed at the task's end: beside it, a sum would be one more value that the scheduler keeps in a register.
// CHECK-LABEL: @lookup(
// CHECK: asm sideeffect ".insn r CUSTOM_0, 5
// CHECK: mul i64 {{.*}}, -7046029254386353131
void lookup(uint64_t *restrict out, const uint64_t *restrict table, uint64_t n) {
#pragma asyncmem num_task(256)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    uint64_t x = i * 0x9e3779b97f4a7c15u;
    out[i] = table[(x ^ x >> 29) >> 48];
  }
}

static inline uint64_t hash_next(uint64_t x) { return (x + 1) * 0x9e3779b97f4a7c15u >> 48; }

// Here, too; but the next value of the counter, which launch computes, saves an addition.
// CHECK-LABEL: @lookup_next(
// CHECK: asm sideeffect ".insn r CUSTOM_0, 5
// CHECK: mul i64 [[NEXT:%[0-9]+]], -7046029254386353131
// CHECK-NOT: add i64 {{.*}}, -7046029254386353131
// CHECK: phi i64 {{.*}}[ [[NEXT]],
// CHECK-NOT: add i64 {{.*}}, -7046029254386353131
// CHECK: attributes
void lookup_next(uint64_t *restrict out, const uint64_t *restrict table, uint64_t n) {
#pragma asyncmem num_task(256)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    out[i] = table[hash_next(i)];
  }
}
