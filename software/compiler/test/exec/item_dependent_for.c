// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Two nested inner loops, the inner bound is remote data.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

static uint64_t out[COUNT];

__attribute__((noinline)) static void run(uint64_t *a, int rows) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t sum = 0;
    for (int r = 0; r < rows; ++r) {
      uint64_t n = a[i + r] % 6;
      for (uint64_t j = 0; j < n; ++j)
        sum = sum * 31 + a[(sum + j) % WORDS];
      sum ^= n;
    }
    out[i] = sum;
  }
}

int main(void) {
  run(remote_words(WORDS), 3);
  print_digest("out", out, sizeof out);
  return 0;
}
