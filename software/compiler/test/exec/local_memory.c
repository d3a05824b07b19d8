// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Local memory shared by the iterations: a histogram and a global counter.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

static uint32_t histogram[64];
uint64_t total;

__attribute__((noinline)) static void run(uint64_t *a) {
#pragma asyncmem num_task(16) shared_var(total)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i];
    histogram[x % 64]++;
    total += x;
  }
}

int main(void) {
  run(remote_words(WORDS));
  print_digest("histogram", histogram, sizeof histogram);
  print_digest("total", &total, sizeof total);
  return 0;
}
