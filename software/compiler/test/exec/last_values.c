// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Values of the last iteration used after the loop: remote data, a phi of the
// body, a value of an inner loop, the loop variable.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 500 };

struct outcome {
  uint64_t word, chosen, inner;
  int at;
};

__attribute__((noinline)) static struct outcome scan(uint64_t *a, int n) {
  struct outcome o = {1, 2, 3, 4};
  int i = 0;
#pragma asyncmem num_task(12)
  for (; i < n; i += 3) {
    __builtin_is_remote(a);
    o.word = a[i] + 1;
    if (o.word & 1)
      o.chosen = a[o.word % WORDS];
    else
      o.chosen = (uint64_t)i * 7;
    uint64_t steps = 0;
    for (uint64_t at = o.word; steps < 9 && at % 5; ++steps)
      at = a[at % WORDS];
    o.inner = steps;
    a[(i * 5) % WORDS] += 0;
  }
  o.at = i;
  return o;
}

int main(void) {
  uint64_t *a = remote_words(WORDS);
  for (int n = 0; n < 40; n += 3) {
    struct outcome o = scan(a, n);
    print_digest("outcome", &o, sizeof o);
  }
  struct outcome o = scan(a, COUNT);
  print_digest("outcome", &o, sizeof o);
  return 0;
}
