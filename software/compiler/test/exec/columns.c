// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
// An iteration writes a column of a matrix of a constant width: between its elements lie those of other iterations.
#include "common.h"

enum { WIDTH = 60 };

// CHECK-COUNT-4: remark: loop split into tasks
__attribute__((noinline)) static void transpose(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < WIDTH; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    for (int j = 0; j < WIDTH; ++j)
      to[j * WIDTH + i] = from[i * WIDTH + j];
  }
}

__attribute__((noinline)) static void every_second(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(7)
  for (int i = 0; i < WIDTH; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    for (int j = 0; j < WIDTH; j += 2)
      to[j * WIDTH + i] += from[j];
  }
}

// Pairs of columns, from the last row to the first.
__attribute__((noinline)) static void pairs(uint32_t (*to)[WIDTH], const uint64_t *from) {
#pragma asyncmem num_task(7)
  for (int i = 0; i < WIDTH; i += 2) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    for (int j = WIDTH; j-- > 0;)
      for (int k = 0; k < 2; ++k)
        to[j][i + k] = (uint32_t)from[(j * 7 + i + k) % WIDTH];
  }
}

// Planes of a field of three dimensions.
__attribute__((noinline)) static void planes(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(5)
  for (int i = 0; i < 10; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    for (int j = 0; j < 12; ++j)
      for (int k = 0; k < 30; ++k)
        to[j * 300 + k * 10 + i] = from[i * 360 + k * 12 + j];
  }
}

int main(void) {
  const uint64_t *from = remote_words(WIDTH * WIDTH);
  uint64_t *to = remote_words(WIDTH * WIDTH);
  transpose(to, from);
  print_digest("transpose", to, WIDTH * WIDTH * sizeof *to);
  every_second(to, from);
  print_digest("every second", to, WIDTH * WIDTH * sizeof *to);
  pairs((uint32_t(*)[WIDTH])to, from);
  print_digest("pairs", to, WIDTH * WIDTH * sizeof *to);
  planes(to, from);
  print_digest("planes", to, WIDTH * WIDTH * sizeof *to);
  return 0;
}
