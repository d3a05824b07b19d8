// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Assembler instructions whose outputs follow from their inputs, as in the mathematical functions of some libraries.
#include "common.h"

enum { COUNT = 300 };

#ifdef __riscv
#define HALF(x) __asm__("srli %0, %0, 1" : "+r"(x))
#define SUM(to, x, y) __asm__("add %0, %1, %2" : "=r"(to) : "r"(x), "r"(y))
#else
#define HALF(x) __asm__("shrq %0" : "+r"(x) : : "cc")
#define SUM(to, x, y) __asm__("leaq (%1, %2), %0" : "=r"(to) : "r"(x), "r"(y))
#endif

__attribute__((noinline)) static uint64_t halves(const uint64_t *a, uint64_t *to) {
  uint64_t all = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i * 37 % COUNT], sum;
    for (uint64_t j = 0; j < i % 4; ++j)
      HALF(x);
    SUM(sum, x, a[x % COUNT]);
    to[i] = sum;
    all += sum;
  }
  return all;
}

int main(void) {
  const uint64_t *a = remote_words(COUNT);
  static uint64_t to[COUNT];
  const uint64_t all = halves(a, to);
  print_digest("to", to, sizeof to);
  print_digest("all", &all, sizeof all);
  return 0;
}
