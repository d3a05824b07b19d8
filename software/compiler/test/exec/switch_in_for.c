// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// A switch with fall-through and a continue.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

static uint64_t out[COUNT];

__attribute__((noinline)) static void run(uint64_t *a) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i];
    switch (x % 5) {
    case 0:
      continue;
    case 1:
      x += a[x % WORDS];
      break;
    case 2:
      x ^= a[(x >> 8) % WORDS];
      __attribute__((fallthrough));
    case 3:
      x -= i;
    }
    out[i] = x;
  }
}

int main(void) {
  run(remote_words(WORDS));
  print_digest("out", out, sizeof out);
  return 0;
}
