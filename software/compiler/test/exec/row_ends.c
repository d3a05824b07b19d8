// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Rows in inner loops that are left in the middle: what is used behind them, two rows in step, a row that is also the line of
// counters, stores into the row, and counters that wrap.
#include "common.h"

enum { WORDS = 1 << 12, ROWS = 96 };

static uint64_t begins(uint64_t r) { return r * 37 % 1024; }
static uint64_t ends(uint64_t r) { return begins(r) + r * 5 % 67; }

// Left by a break, and by an update of another word now and then, at which the task waits.
__attribute__((noinline)) static uint64_t find(const uint32_t *words, const uint64_t *far, uint64_t *places) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(words);
    __builtin_is_remote(far);
    uint64_t k = begins(r), last = 0, seen = 0;
    for (; k < ends(r); ++k) {
      uint32_t word = words[k];
      if (word % 61 == 7)
        break;
      if (word % 29 == 3)
        seen ^= far[word % WORDS] + k;
      last = word ^ last << 1;
    }
    places[r] = k;
    sum += last + seen;
  }
  return sum;
}

// Two rows, whose blocks end at different elements, and a private array in the frame.
__attribute__((noinline)) static uint64_t products(const uint32_t *a, const uint16_t *b) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(^ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    uint64_t parts[8] = {r};
    for (uint64_t k = begins(r); k < ends(r); ++k)
      parts[b[k + 3] % 8] += (uint64_t)a[k] * (b[k + 3] + 1);
    for (int i = 0; i < 8; ++i)
      sum ^= parts[i] << i;
  }
  return sum;
}

// The keys are read from the line that the counters are in, and at its ends.
__attribute__((noinline)) static void count(const uint32_t *keys, uint32_t *counts) {
#pragma asyncmem num_task(16) distinct_update(counts)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint64_t k = 0; k < 8 + r % 20; ++k)
      counts[r * 32 + keys[r * 32 + k] % 32] += keys[r * 32 + k] + 1;
  }
}

// Lines in turn: mostly that of the update before, else another one.
__attribute__((noinline)) static void lines(const uint8_t *keys, uint16_t *counts) {
#pragma asyncmem num_task(16) distinct_update(counts)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint64_t k = 0; k < r * 3 % 160; ++k)
      ++counts[r * 80 + (keys[r * 20 + k] < 8 ? 40 : 0) + keys[r * 20 + k] % 32];
  }
}

// A counter of 8 bits comes to the beginning of the row again.
__attribute__((noinline)) static uint64_t wraps(const uint32_t *words) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(words);
    uint8_t k = r * 11;
    for (uint64_t n = 0; n < 300; ++n)
      sum += words[r + k++] * (n + 1);
  }
  return sum;
}

// Now and then an iteration writes the word it reads next, as another variable.
__attribute__((noinline)) static uint64_t ahead(const uint32_t *from, uint32_t *to) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(from);
    for (uint64_t k = r * 40; k < r * 40 + 33; ++k) {
      uint32_t word = from[k];
      if (word % 5 == 0)
        to[k + word % 3] = word / 5 + k;
      sum += word * (k + 1);
    }
  }
  return sum;
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *b = remote_words(WORDS);
  static uint64_t places[ROWS];
  uint64_t results[4];
  results[0] = find((uint32_t *)a, b, places);
  results[1] = products((uint32_t *)a, (uint16_t *)b + 1);
  count((uint32_t *)a, (uint32_t *)b);
  count((uint32_t *)a, (uint32_t *)a);
  count((uint32_t *)a + 3, (uint32_t *)a);
  lines((uint8_t *)a, (uint16_t *)b);
  results[2] = wraps((uint32_t *)a);
  results[3] = ahead((uint32_t *)b, (uint32_t *)b);
  print_digest("places", places, sizeof places);
  print_digest("results", results, sizeof results);
  print_digest("a", a, WORDS * sizeof *a);
  print_digest("b", b, WORDS * sizeof *b);
  return 0;
}
