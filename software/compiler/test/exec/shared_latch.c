// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops whose ends fall together: a loop of jumps, whose rounds depend on each other, around a marked one; and a marked one
// around an endless one.
#include "common.h"

enum { WORDS = 1 << 8, COUNT = 200 };

// Each round reads what the one before wrote.
__attribute__((noinline)) static uint64_t rounds(uint64_t *table, uint64_t *restrict from, uint64_t *restrict to, uint64_t left) {
  uint64_t sum = 0;
again:
  if (left == 0)
    return sum;
  left -= 1 + (left > 1 && (from[left] & 1));
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(table);
    sum += table[(i * 7 + from[left]) % WORDS];
  }
  goto again;
}

__attribute__((noinline)) static uint64_t endless(uint64_t *table, int n) {
  uint64_t sum = 0;
  int i = 0;
#pragma asyncmem num_task(16)
  while (i < n) {
    __builtin_is_remote(table);
    uint64_t at = i++;
    for (;;) {
      at = table[at % WORDS];
      sum += at;
      if (at % 8 == 0)
        break;
    }
  }
  return sum;
}

int main(void) {
  uint64_t *table = remote_words(WORDS);
  static uint64_t from[20], to[20];
  for (int i = 0; i < 20; ++i)
    from[i] = i * 5;
  for (int i = 0; i < WORDS; ++i)
    table[i] = (i * 5 + 3) % WORDS;
  uint64_t r[2] = {rounds(table, from, to, 19), endless(table, COUNT)};
  print_digest("sums", r, sizeof r);
  return 0;
}
