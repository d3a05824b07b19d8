// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Updates of few remote words whose operand is loaded right before: their own load must not move in front of that one, as a task would wait between it
// and the store, alone and beside atomic operations on the same words.
#include "common.h"

enum { WORDS = 8, COUNT = 600, ROW = 1 << 10 };

__attribute__((noinline)) static void
plain(uint64_t *words, const uint64_t *far, const uint64_t *__restrict order) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(words);
    __builtin_is_remote(far);
    words[order[i] % WORDS] += far[far[i] % ROW];
  }
}

__attribute__((noinline)) static void
mixed(uint64_t *words, const uint64_t *far, const uint64_t *__restrict order) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(words);
    __builtin_is_remote(far);
    uint64_t at = order[i] % WORDS;
    if (i % 3)
      __atomic_fetch_add(&words[at], i, __ATOMIC_RELAXED);
    else
      words[at] += far[far[i] % ROW];
  }
}

int main(void) {
  uint64_t *words = remote_alloc(WORDS * sizeof *words);
  uint64_t *far = remote_alloc(ROW * sizeof *far);
  static uint64_t order[COUNT];
  for (uint64_t i = 0; i < WORDS; ++i)
    words[i] = i;
  for (uint64_t i = 0; i < ROW; ++i)
    far[i] = i * 2654435761u;
  for (uint64_t i = 0; i < COUNT; ++i)
    order[i] = i * 40503u >> 3;
  plain(words, far, order);
  mixed(words, far, order);
  for (uint64_t i = 0; i < WORDS; ++i)
    printf("%llu\n", (unsigned long long)words[i]);
  return 0;
}
