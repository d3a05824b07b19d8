// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops that the optimizer would turn into something else before they are
// split: a copy, a fill, and a stencil whose loads it would carry over.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 800 };

__attribute__((noinline)) static void
copy(uint64_t *restrict to, const uint64_t *restrict from, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[i];
  }
}

__attribute__((noinline)) static uint32_t gather(const uint32_t *from, int n) {
  uint32_t sum = 0;
#pragma asyncmem num_task(16) reduction(^ : sum)
  for (int i = 1; i < n - 1; ++i) {
    __builtin_is_remote(from);
    sum ^= from[i - 1] + 3 * from[i] + from[i + 1];
  }
  return sum;
}

__attribute__((noinline)) static void
smooth(uint16_t *restrict to, const uint16_t *restrict from, int n) {
#pragma asyncmem num_task(16)
  for (int i = 2; i < n - 2; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[i - 2] / 4 + from[i] / 2 + from[i + 2] / 4;
  }
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *b = remote_words(WORDS);
  copy(b + 3, a + 5, COUNT);
  smooth((uint16_t *)b, (uint16_t *)a, COUNT);
  uint32_t sum = gather((uint32_t *)a, COUNT);
  print_digest("sum", &sum, sizeof sum);
  print_digest("words", b, WORDS * sizeof *b);
  return 0;
}
