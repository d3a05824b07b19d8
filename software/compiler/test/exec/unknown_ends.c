// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops whose end is not known where they start, run often, so that many runs begin as the plain loop: of no iteration, of a few, and of far
// more than are given to them, whose rest is handed over. Values of every kind go on there: pointers, floating-point sums, flags.
#include "common.h"

enum { COUNT = 512, RUNS = 6000, PLACES = 8192 };

// Up to a place with 0.
__attribute__((noinline)) static uint64_t until(const uint64_t *a, uint64_t *seen, const uint32_t *place) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (; *place; ++place) {
    __builtin_is_remote(a);
    uint64_t word = a[*place % COUNT];
    sum += word;
    seen[*place % 64] += word >> 48;
  }
  return sum;
}

struct entry {
  struct entry *next;
  uint32_t at;
};

// Along a list in local memory: where it ends, and sums of two kinds.
__attribute__((noinline)) static uint64_t walk(const uint64_t *a, uint64_t *seen, const struct entry *entry, double *weight) {
  uint64_t sum = 0;
  double all = 0.5;
  const struct entry *last = entry;
#pragma asyncmem num_task(8) reduction(+ : sum)
  while (entry) {
    __builtin_is_remote(a);
    uint64_t word = a[entry->at % COUNT];
    sum += word >> 40;
    seen[entry->at % 64] ^= word;
    all = all * 0.5 + entry->at;
    last = entry;
    entry = entry->next;
  }
  *weight += all;
  return sum + last->at;
}

// With a flag, a counter of its own, and two ways out.
__attribute__((noinline)) static uint64_t flags(const uint64_t *a, uint64_t *seen, const uint32_t *place, uint32_t key) {
  uint32_t steps = 1;
  _Bool goes_on;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(a);
    uint32_t at = *place++;
    if (at == key)
      return steps | 1u << 31;
    seen[steps % 64] += a[at % COUNT] >> 32;
    steps = steps * 5 + 1;
    goes_on = at && steps % 97;
  } while (goes_on);
  return steps;
}

// It never leaves at its end.
__attribute__((noinline)) static uint64_t endless(const uint64_t *a, uint64_t *seen, uint64_t x) {
#pragma asyncmem num_task(4)
  for (uint32_t i = 0;; ++i) {
    __builtin_is_remote(a);
    x = x * 6364136223846793005u + 1442695040888963407u;
    if (x >> 59 == 3)
      return i;
    seen[i % 64] ^= a[x >> 40 & (COUNT - 1)];
  }
}

int main(void) {
  const uint64_t *a = remote_words(COUNT);
  static uint32_t places[PLACES];
  static struct entry entries[PLACES];
  static uint64_t seen[64], results[4];
  double weight = 0;
  uint64_t x = 88172645463325252u;
  // Runs of five at first, then of all lengths.
  for (uint32_t p = 0; p < PLACES; ++p) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    int last = p < 6000 ? p % 6 == 5 : p % 700 == 11 || p == PLACES - 1;
    places[p] = last ? 0 : 1 + (uint32_t)x % 1000;
    entries[p] = (struct entry){last ? 0 : &entries[p + 1], (uint32_t)(x >> 32) % 1000};
  }
  for (uint64_t r = 0; r < RUNS; ++r) {
    uint64_t at = r % 500 < 480 ? r * 6 % 5990 : 6000 + r % 2000;
    results[0] = results[0] * 3 + until(a, seen, places + at);
    results[1] = results[1] * 3 + walk(a, seen, entries + at, &weight);
    results[2] = results[2] * 3 + flags(a, seen, places + at, r % 900);
    results[3] = results[3] * 3 + endless(a, seen, r);
  }
  print_digest("results", results, sizeof results);
  print_digest("weight", &weight, sizeof weight);
  print_digest("seen", seen, sizeof seen);
  return 0;
}
