// SPDX-License-Identifier: Apache-2.0
// What goes from iteration to iteration of the plain loop also leaves the chunk, and is in one register all the same: no move at the end of an iteration.
// RUN: %clang %plugin -O2 -S %s -o - | FileCheck %s
#include "asyncmem.h"

// CHECK-LABEL: last_number.choice:
// CHECK: Inner Loop Header
// CHECK: xorq %{{.*}}, (%
// CHECK: xorq %{{.*}}, (%
// CHECK-NEXT: addq $-2,
// CHECK-NEXT: jne
uint64_t last_number(uint64_t *table, uint64_t size, uint64_t updates, uint64_t number) {
#pragma asyncmem num_task(16) lossy_update(table)
  for (uint64_t i = 0; i < updates; i++) {
    __builtin_is_remote(table);
    number = (number << 1) ^ ((int64_t)number < 0 ? 7 : 0);
    table[number & (size - 1)] ^= number;
  }
  return number;
}
