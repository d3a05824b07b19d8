// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Variables of the body that live in memory across suspensions; private().
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

static uint64_t out[COUNT];

__attribute__((noinline)) static void run(uint64_t *a) {
  uint64_t last;
#pragma asyncmem num_task(16) private(last)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t path[4] = {0, 0, 0, 0};
    for (int j = 0; j < 6; ++j) {
      last = a[(i + j * 17) % WORDS];
      path[last % 4] += last;
    }
    out[i] = path[0] + 3 * path[1] + 5 * path[2] + 7 * path[last % 4];
  }
}

int main(void) {
  run(remote_words(WORDS));
  print_digest("out", out, sizeof out);
  return 0;
}
