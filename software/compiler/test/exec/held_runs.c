// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Runs that begin as the plain loop without a question, once that has been chosen: of no iteration, of a few, of more than are given
// to them, left in the middle, and of different loops in turn.
#include "common.h"

enum { COUNT = 512, RUNS = 20000 };

__attribute__((noinline)) static uint64_t sum(const uint64_t *a, uint64_t from, uint64_t n) {
  uint64_t all = 0;
#pragma asyncmem num_task(16) reduction(+ : all)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    all += a[(from + i) * 37 % COUNT] ^ i;
  }
  return all;
}

// Values that the loop goes on with: a pointer, a counter of another width, what is behind the loop.
__attribute__((noinline)) static uint64_t find(const uint64_t *a, uint64_t *seen, uint32_t n, uint64_t stop) {
  uint32_t i = n;
  const uint64_t *p = a + COUNT;
#pragma asyncmem num_task(8)
  while (i) {
    __builtin_is_remote(a);
    if (--p == a)
      p = a + COUNT - 1;
    --i;
    seen[i] += a[(uint64_t)(p - a)] * 3 + i;
    if (i == stop)
      return i + 1;
  }
  return (uint64_t)(p - a) << 32 | i;
}

int main(void) {
  const uint64_t *a = remote_words(COUNT);
  static uint64_t seen[4096], results[4];
  for (uint64_t r = 0; r < RUNS; ++r) {
    results[0] += sum(a, r, r % 3 ? r % 11 : 0);
    results[1] = results[1] * 3 + find(a, seen, r % 13, r % 29);
    if (r % 1000 == 999) {
      results[2] += sum(a, r, 3000 + r);
      results[3] = results[3] * 3 + find(a, seen, 4000, r % 5 ? 7 : 5000);
    }
  }
  print_digest("results", results, sizeof results);
  print_digest("seen", seen, sizeof seen);
  return 0;
}
