// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Remote words that are stored as they were loaded: one, lines of them, some of them, in another order, twice, at other distances, of other
// widths, behind another wait, and together with words that are computed.
#include "common.h"

enum { WORDS = 1 << 13, LINES = 150 };

struct line {
  uint64_t word[8];
};

__attribute__((noinline)) static void lines(struct line *to, const struct line *from) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < LINES; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[i * 37 % LINES];
  }
}

__attribute__((noinline)) static void orders(struct line *to, const struct line *from) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < LINES; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    struct line x = from[i * 37 % LINES];
    uint64_t k = i * 7 % LINES;
    to[k].word[0] = x.word[1];
    to[k].word[1] = x.word[0];
    to[k].word[2] = x.word[3];
    to[k].word[3] = x.word[4];
    to[k].word[5] = x.word[3];
    to[k].word[6] = x.word[6] + 1;
    to[k].word[7] = x.word[7];
  }
}

// Keys to their places, 16 a line, as IS moves them to their buckets.
__attribute__((noinline)) static void scatter(uint32_t *to, uint32_t *next, const uint32_t *keys, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(keys);
    uint32_t key = keys[i];
    to[key % 8 * 512 + next[key % 8]++] = key;
  }
}

__attribute__((noinline)) static void widths(uint8_t *bytes, uint32_t *halves, const uint64_t *words) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < LINES; ++i) {
    __builtin_is_remote(bytes);
    __builtin_is_remote(halves);
    __builtin_is_remote(words);
    uint64_t x = words[i * 3];
    bytes[i * 11 % LINES] = x;
    halves[i * 7 % LINES] = x;
  }
}

// Between the load and the store the task waits for something else, that comes into the slot's same bytes.
__attribute__((noinline)) static void later(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < LINES; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    uint64_t x = from[i], y = from[x % WORDS];
    to[2 * i] = x;
    to[2 * i + 1] = y;
    if (y & 1)
      to[2 * i] = y;
  }
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *b = remote_words(WORDS);
  uint32_t *places = (uint32_t *)remote_words(8 * 512 / 2);
  static uint32_t next[8];
  lines((struct line *)b, (struct line *)a);
  orders((struct line *)b + LINES, (struct line *)a);
  scatter(places, next, (uint32_t *)a, 2000);
  widths((uint8_t *)(b + 5000), (uint32_t *)(b + 5100), a);
  later(b + 6000, a);
  // In which order a bucket is filled is open.
  uint64_t sums[8] = {0};
  for (uint64_t k = 0; k < 8 * 512; ++k)
    sums[k / 512] += mix(places[k]);
  print_digest("next", next, sizeof next);
  print_digest("sums", sums, sizeof sums);
  print_digest("b", b, WORDS * sizeof *b);
  return 0;
}
