// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops with the pragma and no mark: what depends on the iteration is remote, but in local objects.
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 800 };

uint64_t results[COUNT];
uint64_t totals[4];        // updated by name and by a pointer, in the same loop
static uint64_t histogram[16];

// A search, whose bounds follow from branches.
__attribute__((noinline)) static void search(const uint64_t *sorted, const uint64_t *keys) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    uint64_t low = 0, high = WORDS;
    while (high - low > 1) {
      uint64_t middle = low + (high - low) / 2;
      if (sorted[middle] > keys[i])
        high = middle;
      else
        low = middle;
    }
    results[i] = low;
  }
}

// One table for all iterations, and a variable of the body.
__attribute__((noinline)) static void weigh(const uint64_t *weights, const uint64_t *rows, uint64_t *out) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    uint64_t parts[4] = {i, 1, 2, 3};
    for (uint64_t k = 0; k < 16; ++k)
      parts[(rows[i] + k) & 3] += weights[k] * rows[i + k];
    out[i] = parts[i & 3] ^ parts[1];
  }
}

// Tasks may meet in words that are reached in more than one way.
__attribute__((noinline)) static void count(uint64_t *counters, uint64_t *first, const uint64_t *keys) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    counters[keys[i] & 3] += keys[i];
    totals[keys[i] >> 2 & 3] += i;
    *first += 1;
    histogram[keys[i] & 15] += 1;
  }
}

__attribute__((noinline)) static void count_atomically(uint64_t *counters, uint64_t *first, const uint64_t *keys) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __atomic_fetch_add(&counters[keys[i] & 3], keys[i], __ATOMIC_RELAXED);
    __atomic_fetch_add(&totals[keys[i] >> 2 & 3], i, __ATOMIC_RELAXED);
    __atomic_fetch_xor(first, keys[i], __ATOMIC_RELAXED);
  }
}

static uint64_t depth_of(const uint64_t *tree, uint64_t at) { return at < 2 ? 0 : 1 + depth_of(tree, tree[at] % at); }

__attribute__((noinline)) static void measure(const uint64_t *tree, const uint64_t *keys) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i)
    results[i] = depth_of(tree, keys[i] % WORDS);
}

int main(void) {
  uint64_t *words = remote_words(WORDS), *keys = remote_words(COUNT + 16), *sorted = remote_alloc(WORDS * 8), *out = remote_alloc(COUNT * 8);
  for (uint64_t k = 0; k < WORDS; ++k)
    sorted[k] = k << 54;
  search(sorted, keys);
  print_digest("search", results, sizeof results);
  weigh(words, keys, out);
  print_digest("weigh", out, sizeof results);
  count(totals, &totals[1], keys);
  print_digest("totals", totals, sizeof totals);
  print_digest("histogram", histogram, sizeof histogram);
  count_atomically(totals, &totals[2], keys);
  printf("%lu %lu %lu\n", (unsigned long)(totals[0] & 0xffff), (unsigned long)(totals[1] & 0xffff), (unsigned long)(totals[3] & 0xffff));
  measure(words, keys);
  print_digest("depths", results, sizeof results);
  return 0;
}
