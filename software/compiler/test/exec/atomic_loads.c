// SPDX-License-Identifier: Apache-2.0
// An atomic load meets stores of other tasks: it must see one value or another, not bytes that are on their way.
// RUN: %same_results %s %t
#include "common.h"

enum { COUNT = 3000, WORDS = 64 };

// The largest value of each word, by compare-and-exchange; a torn value could look larger.
__attribute__((noinline)) static void largest(const uint16_t *values, uint64_t *words) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(words);
    uint64_t *word = &words[values[i] % WORDS];
    uint64_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (old < values[i] && !__atomic_compare_exchange_n(word, &old, values[i], 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
  }
}

// Reads of words that only ever hold 0 or one other value.
__attribute__((noinline)) static int wrong(uint64_t *words) {
  int found = 0;
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(words);
    __atomic_store_n(&words[i % 8], i % 3 ? 0 : 0x0123456789abcdef, __ATOMIC_RELEASE);
    uint64_t seen = __atomic_load_n(&words[(i + 4) % 8], __ATOMIC_ACQUIRE);
    found += seen != 0 && seen != 0x0123456789abcdef;
  }
  return found;
}

int main(void) {
  static uint16_t values[COUNT];
  uint64_t *words = (uint64_t *)remote_alloc(WORDS * sizeof *words);
  for (int i = 0; i < COUNT; ++i)
    values[i] = mix(i);
  for (int i = 0; i < WORDS; ++i)
    words[i] = 0;
  largest(values, words);
  print_digest("words", words, WORDS * sizeof *words);
  for (int i = 0; i < WORDS; ++i)
    words[i] = 0;
  printf("wrong %d\n", wrong(words));
}
