// SPDX-License-Identifier: Apache-2.0
// Sums of RUN_WORDS words at random places: a loop of a few iterations in a function that is called often. With UNTIL a place of 0 ends a run.
// RUN: %same_results %s %t
#include "kernel.h"

#ifndef RUN_WORDS
#define RUN_WORDS 8
#endif

#ifdef KERNEL_LIBRARY
enum { PLACES = 1 << 14, RUNS = 1 << 16 };
#else
enum { PLACES = 1 << 12, RUNS = 1 << 12 };
#endif

struct sums {
  uint64_t *words;
  size_t count; // a power of two
  uint32_t places[PLACES];
};

#ifdef UNTIL
__attribute__((noinline)) static uint64_t sum(const uint64_t *words, const uint32_t *place) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  while (*place) {
    __builtin_is_remote(words);
    all += words[*place++];
  }
  return all;
}
#define SUM(words, places) sum(words, places)
#else
__attribute__((noinline)) static uint64_t sum(const uint64_t *words, const uint32_t *places, long n) {
  uint64_t all = 0;
#pragma asyncmem num_task(16)
  for (long i = 0; i < n; ++i) {
    __builtin_is_remote(words);
    all += words[places[i]];
  }
  return all;
}
#define SUM(words, places) sum(words, places, RUN_WORDS)
#endif

void *kernel_make(size_t bytes) {
  struct sums *sums = malloc(sizeof *sums);
  sums->count = 1;
  while (2 * sums->count * sizeof(uint64_t) <= bytes)
    sums->count *= 2;
  sums->words = remote_words(sums->count);
  for (uint32_t i = 0; i < PLACES; ++i)
    sums->places[i] = i % (RUN_WORDS + 1) == RUN_WORDS ? 0 : (uint32_t)(mix(i) & (sums->count - 1)) | 1;
  return sums;
}

void kernel_reset(void *data) { (void)data; }

uint64_t kernel_run(void *data) {
  const struct sums *sums = data;
  uint64_t all = 0;
  for (uint64_t run = 0; run < RUNS; ++run)
    all += run * SUM(sums->words, sums->places + run % (PLACES / (RUN_WORDS + 1)) * (RUN_WORDS + 1));
  return all;
}
