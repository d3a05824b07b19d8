// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// LLVM unrolls the loop around the marked one; its copies have one place for a
// variable of the body (OwnVariables.h).
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 600 };

static uint64_t out[COUNT];

__attribute__((noinline)) static void repeated(uint64_t *restrict r, uint64_t *restrict w, uint64_t n) {
  for (uint64_t o = 0; o < 3; ++o)
#pragma asyncmem num_task(16)
    for (uint64_t i = o; i < n; i += 3) {
      __builtin_is_remote(r);
      uint64_t v = r[i * 7 % WORDS], t[4] = {v, i, 1, 2};
      t[v & 3] ^= r[v % WORDS];
      w[i] = t[0] + t[v >> 2 & 3];
    }
}

int main(void) {
  repeated(remote_words(WORDS), out, COUNT);
  print_digest("out", out, sizeof out);
  return 0;
}
