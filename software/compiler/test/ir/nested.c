// SPDX-License-Identifier: Apache-2.0
// The kernel of lab/2026-11-29-performance-choice.md, "Shared inner loops", and what its tasks look like: the first part of a long row, the list of
// the others, and where a task starts with one of them.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -fno-discard-value-names -DSHARE -S -emit-llvm %s -o - | FileCheck %s
#include "asyncmem.h"
#include <stdint.h>
#include <stdio.h>

static inline uint64_t cycles(void) {
  uint64_t now;
  __asm__ volatile("rdcycle %0" : "=r"(now));
  return now;
}

static uint32_t mix(uint64_t x) {
  x = (x + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return (uint32_t)(x ^ x >> 32);
}

// CHECK-LABEL: define {{.*}}@gather
// CHECK-DAG: %range.records = alloca [65 x
// CHECK-DAG: nested.begin:
// CHECK-DAG: nested.divide:
// CHECK-DAG: nested.part.next:
__attribute__((noinline)) uint64_t gather(const uint64_t *a, const uint32_t *index, const uint64_t *start, uint64_t *to, uint64_t rows) {
  uint64_t all = 0;
#pragma asyncmem num_task(64)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(index);
    __builtin_is_remote(to);
    uint64_t sum = 0, first = start[r], end = start[r + 1];
#ifdef SHARE
#pragma asyncmem
#endif
    for (uint64_t e = first; e < end; ++e)
      sum += a[index[e]];
    to[r] = sum;
    all += sum;
  }
  return all;
}

enum { WORDS = 1 << 21, ELEMENTS = 6000, ROWS = 300, FEW = 8, LONGEST = 4000 };
static uint64_t start[3][ROWS + 1];

int main(void) {
  uint64_t *a = remote_alloc(sizeof(uint64_t) * WORDS), *to = remote_alloc(sizeof(uint64_t) * ROWS);
  uint32_t *index = remote_alloc(sizeof(uint32_t) * ELEMENTS);
  for (unsigned i = 0; i < ELEMENTS; ++i)
    index[i] = mix(i) & (WORDS - 1);
  for (unsigned i = 1; i <= ROWS; ++i)
    start[0][i] = i * ELEMENTS / ROWS;
  for (unsigned i = 1; i <= FEW; ++i)
    start[1][i] = LONGEST + (i - 1) * (ELEMENTS - LONGEST) / (FEW - 1);
  start[2][1] = ELEMENTS;
  const uint64_t rows[] = {ROWS, FEW, 1};
  for (int k = 0; k < 3; ++k) {
    uint64_t begin = cycles(), sum = gather(a, index, start[k], to, rows[k]);
    printf("%lu rows, sum %lx: %lu cycles\n", (unsigned long)rows[k], (unsigned long)sum, (unsigned long)(cycles() - begin));
  }
  return 0;
}
