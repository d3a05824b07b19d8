// SPDX-License-Identifier: Apache-2.0
// A task launched in the place of one that has ended has its ID and its frame in registers: only the first launches compute them.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// CHECK-LABEL: @update(
// CHECK: [[WORD:%.*]] = callbr i64
// CHECK: [[FRAME:%.*]] = and i64 [[WORD]],
// CHECK: [[ID:%.*]] = lshr i64 [[WORD]],
// CHECK: CUSTOM_0, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 [[ID]], i64 2)
// CHECK: CUSTOM_0, 1, 0
// CHECK: CUSTOM_0, 0, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 [[ID]])
// The store that is waited for, as no task follows; then the first launches.
// CHECK: CUSTOM_0, 1, 0
// CHECK: [[FIRST:%.*]] = lshr i64 %{{.*}}, 43
// CHECK: CUSTOM_0, 0, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 [[FIRST]])
void update(uint64_t *table, uint64_t n) {
#pragma asyncmem num_task(64) lossy_update(table)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    table[i * 0x9e3779b97f4a7c15 >> 40] ^= i;
  }
}
