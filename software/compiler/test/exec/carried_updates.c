// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Exclusive updates at the end of an iteration, whose lock the next iteration releases: counters as NPB IS has them, few words and many
// tasks, two tasks and as many as there are, updates on some paths only, two in an iteration, values used behind the loop, loops left in
// the middle, and iterations that begin with several requests.
#include "common.h"

enum { WORDS = 1 << 12, KEYS = 1500 };

#define COUNT(tasks)                                                                                                           \
  __attribute__((noinline)) static void count_##tasks(uint32_t *key_buff_ptr, const uint32_t *key_buff_ptr2, uint32_t mask,    \
                                                      int n) {                                                                \
    _Pragma(PRAGMA(asyncmem num_task(tasks))) for (int i = 0; i < n; i++) {                                                    \
      __builtin_is_remote(key_buff_ptr);                                                                                       \
      __builtin_is_remote(key_buff_ptr2);                                                                                      \
      key_buff_ptr[key_buff_ptr2[i] & mask]++;                                                                                 \
    }                                                                                                                          \
  }
#define PRAGMA(text) #text

COUNT(1)
COUNT(2)
COUNT(3)
COUNT(64)
COUNT(511)

__attribute__((noinline)) static void least(uint64_t *best, const uint64_t *keys, uint64_t n) {
#pragma asyncmem num_task(100)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(best);
    __builtin_is_remote(keys);
    uint64_t key = keys[i], place = key % 13;
    if (key >> 8 < best[place])
      best[place] = key >> 8;
  }
}

__attribute__((noinline)) static uint64_t some(uint64_t *sums, const uint64_t *keys, uint64_t n) {
  uint64_t last = 0;
#pragma asyncmem num_task(100) lastprivate(last)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(sums);
    __builtin_is_remote(keys);
    last = keys[i] * 3;
    if (keys[i] % 4)
      sums[keys[i] % 7] += last;
  }
  return last;
}

__attribute__((noinline)) static void two(uint32_t *counts, uint64_t *sums, const uint64_t *keys, uint64_t n) {
#pragma asyncmem num_task(100)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(counts);
    __builtin_is_remote(sums);
    __builtin_is_remote(keys);
    ++counts[keys[i] % 5];
    sums[keys[i] % 11] ^= keys[i];
  }
}

__attribute__((noinline)) static uint64_t until(uint64_t *sums, const uint64_t *keys, const uint8_t *restrict stop, uint64_t n) {
  uint64_t i = 0;
#pragma asyncmem num_task(100)
  for (; i < n; ++i) {
    __builtin_is_remote(sums);
    __builtin_is_remote(keys);
    if (stop[i])
      break;
    sums[keys[i] % 3] += i;
  }
  return i;
}

// Two first requests, and a number of hits that all tasks share.
__attribute__((noinline)) static uint64_t weighted(uint64_t *sums, const uint64_t *keys, const uint64_t *weights, uint64_t n) {
  uint64_t hits = 0;
#pragma asyncmem num_task(100) reduction(+ : hits)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(sums);
    __builtin_is_remote(keys);
    __builtin_is_remote(weights);
    sums[keys[i] % 9] += weights[i * 7 % WORDS];
    hits += keys[i] & 1;
  }
  return hits;
}

__attribute__((noinline)) static void weighted_only(uint64_t *sums, const uint64_t *keys, const uint64_t *weights, uint64_t n) {
#pragma asyncmem num_task(100)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(sums);
    __builtin_is_remote(keys);
    __builtin_is_remote(weights);
    sums[keys[i] % 9] += weights[i * 7 % WORDS];
  }
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *b = remote_words(WORDS);
  uint32_t *counts = (uint32_t *)b, *keys = (uint32_t *)a;
  static uint8_t stop[KEYS];
  stop[777] = 1;
  count_1(counts, keys, 3, 50);
  count_2(counts, keys, 1, 400);
  count_3(counts, keys, 1, 400);
  count_64(counts, keys, 15, KEYS);
  count_511(counts, keys, 7, KEYS);
  count_511(counts, keys, 1023, KEYS);
  count_64(counts, keys, 3, 0);
  count_64(counts, keys, 3, 1);
  least(b + 600, a, KEYS);
  uint64_t results[4] = {some(b + 700, a, KEYS), until(b + 800, a, stop, KEYS), weighted(b + 900, a, b + 1000, KEYS)};
  two(counts + 1800, b + 950, a, KEYS);
  weighted_only(b + 900, a, a, KEYS);
  weighted_only(b + 900, a, a, 1);
  print_digest("results", results, sizeof results);
  print_digest("b", b, WORDS * sizeof *b);
  return 0;
}
