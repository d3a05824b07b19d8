// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Accesses on one side, on both sides and on no side of conditions.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

static uint64_t out[COUNT];

__attribute__((noinline)) static void run(uint64_t *a, uint64_t *b) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    uint64_t x = i;
    if (i % 3 == 0)
      x += a[mix(i) % WORDS];
    else if (i % 3 == 1)
      x = b[i] % 7 ? a[i] : b[i + 1];
    if (x & 1)
      b[2048 + i] = x * 3;
    out[i] = x;
  }
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *b = remote_words(WORDS);
  run(a, b);
  print_digest("out", out, sizeof out);
  print_digest("b", b, WORDS * 8);
  return 0;
}
