// SPDX-License-Identifier: Apache-2.0
// Variables whose lives do not meet share a place of the frame.
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"

// Resume address, and one place: for the first word's address, then for the first word.
// CHECK-LABEL: @one_behind_the_other
// CHECK: alloca [64 x i8]
uint64_t one_behind_the_other(const uint64_t *b, const uint64_t *local,
                              uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(b);
    uint64_t first = b[local[i] & 1023];
    sum += b[first & 1023] * first;
  }
  return sum;
}

// One more lives across both waits.
// CHECK-LABEL: @one_across_both
// CHECK: alloca [128 x i8]
uint64_t one_across_both(const uint64_t *b, const uint64_t *local, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(b);
    uint64_t more = local[i + 7];
    uint64_t first = b[local[i] & 1023] + more;
    sum += b[first & 1023] * first + more;
  }
  return sum;
}
