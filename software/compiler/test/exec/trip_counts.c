// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// No, one and few iterations; steps; counting down; wrapping bounds.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

__attribute__((noinline)) static uint64_t up(uint64_t *a, uint32_t from,
                                             uint32_t to, uint32_t step) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (uint32_t i = from; i < to; i += step) {
    __builtin_is_remote(a);
    sum += a[i] ^ i;
  }
  return sum;
}

__attribute__((noinline)) static uint64_t down(uint64_t *a, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = n - 1; i >= 0; --i) {
    __builtin_is_remote(a);
    sum += a[i] * (i + 1u);
  }
  return sum;
}

int main(void) {
  uint64_t *a = remote_words(WORDS);
  for (uint32_t n = 0; n < 40; ++n) {
    uint64_t r[3] = {up(a, 0, n, 1), up(a, 5, 5 + n, 3), down(a, (int)n)};
    print_digest("sums", r, sizeof r);
  }
  return 0;
}
