// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Integer reductions by several operations, conditional and in an inner loop.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

struct result {
  uint64_t sum, product, exclusive;
  int64_t least, largest;
};

__attribute__((noinline)) static struct result run(uint64_t *a) {
  uint64_t sum = 5, product = 1, exclusive = 9;
  int64_t least = INT64_MAX, largest = INT64_MIN;
#pragma asyncmem num_task(16) reduction(+:sum) reduction(*:product) shared_var(exclusive)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i];
    for (uint64_t j = 0; j < x % 3; ++j)
      sum += a[(x + j) % WORDS];
    if (x & 2)
      sum -= 7;
    product *= x | 1;
    exclusive ^= x;
    least = (int64_t)x < least ? (int64_t)x : least;
    largest = (int64_t)x > largest ? (int64_t)x : largest;
  }
  return (struct result){sum, product, exclusive, least, largest};
}

int main(void) {
  struct result r = run(remote_words(WORDS));
  print_digest("result", &r, sizeof r);
  return 0;
}
