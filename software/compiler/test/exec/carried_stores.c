// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Stores at the end of an iteration, which the next one need not wait for: with one and several first requests, on some paths
// only, in loops left in the middle, behind values of the last iteration, and of every number of iterations.
#include "common.h"

enum { WORDS = 1 << 12 };

__attribute__((noinline)) static void scatter(uint64_t *to, const uint64_t *from, uint64_t n) {
#pragma asyncmem num_task(16) distinct_update(to)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i * 7 % 512] ^= from[i];
  }
}

__attribute__((noinline)) static void triad(uint64_t *restrict to, const uint64_t *restrict a, const uint64_t *restrict b,
                                            uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    to[i] = a[i] + 3 * b[i];
  }
}

__attribute__((noinline)) static uint64_t some(uint64_t *restrict to, const uint64_t *restrict from, uint64_t n) {
  uint64_t kept = 0;
#pragma asyncmem num_task(16) reduction(+ : kept)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    uint64_t x = from[i], y = from[i * 5 % 300];
    if (x & 1) {
      to[2 * i] = x + y;
      to[2 * i + 1] = x - y;
      ++kept;
    } else if (x & 2) {
      to[2 * i] = y;
    }
  }
  return kept;
}

__attribute__((noinline)) static uint64_t until(uint64_t *restrict to, const uint64_t *restrict from,
                                                const uint8_t *restrict stop, uint64_t n) {
  uint64_t last = 0;
#pragma asyncmem num_task(16) lastprivate(last)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    last = from[i] >> 3;
    if (stop[i])
      break;
    to[i] = last;
  }
  return last;
}

// No task waits in an iteration that is not taken: what it would complete is not left open.
__attribute__((noinline)) static void sometimes(uint64_t *restrict to, const uint64_t *restrict from,
                                                const uint8_t *restrict skip, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    if (skip[i])
      continue;
    to[i] = from[i] * 3;
  }
}

int main(void) {
  static uint8_t flags[WORDS];
  static const uint64_t counts[] = {0, 1, 2, 3, 15, 16, 17, 100, 400};
  uint64_t *a = remote_words(WORDS), *b = remote_words(WORDS), *c = remote_words(WORDS), results[2 * 9];
  for (uint64_t k = 0; k < 9; ++k) {
    uint64_t n = counts[k];
    for (uint64_t i = 0; i < WORDS; ++i)
      flags[i] = mix(i + k) % 4 == 0;
    scatter(a, b, n);
    triad(c, a, b, n);
    results[2 * k] = some(a, c, n);
    sometimes(b, a, flags, n);
    for (uint64_t i = 0; i < WORDS; ++i)
      flags[i] = i + 3 > n;
    results[2 * k + 1] = until(b, c, flags, n);
  }
  print_digest("results", results, sizeof results);
  print_digest("a", a, WORDS * sizeof *a);
  print_digest("b", b, WORDS * sizeof *b);
  print_digest("c", c, WORDS * sizeof *c);
  return 0;
}
