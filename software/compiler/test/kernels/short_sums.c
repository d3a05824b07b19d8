// SPDX-License-Identifier: Apache-2.0
// Sums of RUN_WORDS words at random places: a loop of a few iterations in a function that is called often.
// RUN: %same_results %s %t
#include "kernel.h"

#ifndef RUN_WORDS
#define RUN_WORDS 8
#endif

enum { PLACES = 1 << 14, RUNS = 1 << 16 };

struct sums {
  uint64_t *words;
  size_t count; // a power of two
  uint32_t places[PLACES];
};

__attribute__((noinline)) static uint64_t sum(const uint64_t *words, const uint32_t *places, long n) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  for (long i = 0; i < n; ++i) {
    __builtin_is_remote(words);
    all += words[places[i]];
  }
  return all;
}

void *kernel_make(size_t bytes) {
  struct sums *sums = malloc(sizeof *sums);
  sums->count = 1;
  while (2 * sums->count * sizeof(uint64_t) <= bytes)
    sums->count *= 2;
  sums->words = remote_words(sums->count);
  for (uint32_t i = 0; i < PLACES; ++i)
    sums->places[i] = (uint32_t)(mix(i) & (sums->count - 1));
  return sums;
}

void kernel_reset(void *data) { (void)data; }

uint64_t kernel_run(void *data) {
  const struct sums *sums = data;
  uint64_t all = 0;
  for (uint64_t run = 0; run < RUNS; ++run)
    all += run * sum(sums->words, sums->places + run * RUN_WORDS % (PLACES - RUN_WORDS), RUN_WORDS);
  return all;
}
