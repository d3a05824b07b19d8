// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// A recursion in an inner loop, twice: the places of its level are computed once and used on both sides of a suspension. They lie in the
// frame, and prefetching tasks move from frame to frame: an address kept from before led into the frame of another task.
#include "common.h"

static __attribute__((noinline)) uint64_t callee(uint64_t *a, uint64_t d, uint64_t x) {
  if (!d)
    return x;
  uint64_t first[1] = {x};
  uint64_t below = 1;
  for (uint64_t k = 0; k < 2; ++k)
    below = below + callee(a, d - 1, a[k]);
  return 1 + below + first[0];
}

static __attribute__((noinline)) void update(uint64_t *a, uint64_t *b, uint64_t n) {
  for (int repeat = 0; repeat < 2; ++repeat) {
#pragma asyncmem num_task(4)
    for (uint64_t i = 0; i < n; ++i) {
      __builtin_is_remote(a);
      uint64_t x = a[i];
      b[i + n * repeat] ^= callee(a, 1, x);
    }
  }
}

int main() {
  uint64_t *a = remote_words(64), b[64] = {};
  update(a, b, 30);
  print_digest("b", b, sizeof b);
  return 0;
}
