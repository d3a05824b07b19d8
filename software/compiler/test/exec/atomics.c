// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Atomic operations on remote words that many tasks update at once, and on
// local ones. Any order of iterations gives the same sums; a lost update not.
#include "common.h"

#ifndef COUNT
#define COUNT 3000
#endif
enum { WORDS = 8 };

struct cells {
  uint64_t sum[WORDS];
  uint32_t bits[WORDS];
  int16_t small[WORDS];
  uint8_t lowest[WORDS];
};

static uint64_t local_hits;

__attribute__((noinline)) static uint64_t histogram(struct cells *c) {
  uint64_t old = 0;
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(c);
    uint64_t m = mix(i);
    old += __atomic_fetch_add(&c->sum[m % WORDS], i, __ATOMIC_SEQ_CST) & 0;
    __atomic_fetch_xor(&c->bits[m / 8 % WORDS], (uint32_t)m, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&c->small[m / 64 % WORDS], 3, __ATOMIC_ACQ_REL);
    if (m & 1024)
      __atomic_fetch_add(&local_hits, 1, __ATOMIC_RELAXED);
  }
  return old;
}

// Compare-and-exchange until it succeeds: a minimum the hardware has no
// instruction for.
__attribute__((noinline)) static void minimum(struct cells *c) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(c);
    uint64_t m = mix(i + COUNT);
    uint8_t *cell = &c->lowest[m % WORDS], mine = m >> 8;
    uint8_t seen = __atomic_load_n(cell, __ATOMIC_RELAXED);
    while (mine < seen && !__atomic_compare_exchange_n(cell, &seen, mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      ;
  }
}

// A spin lock made of atomics on a remote word, around plain remote accesses.
__attribute__((noinline)) static void guarded(uint32_t *flag, uint64_t *pair) {
#pragma asyncmem num_task(32)
  for (int i = 0; i < COUNT / 8; ++i) {
    __builtin_is_remote(flag);
    __builtin_is_remote(pair);
    while (__atomic_exchange_n(flag, 1, __ATOMIC_ACQUIRE))
      ;
    uint64_t first = __atomic_load_n(&pair[0], __ATOMIC_RELAXED);
    __atomic_store_n(&pair[0], first + i, __ATOMIC_RELAXED);
    uint64_t second = __atomic_load_n(&pair[1], __ATOMIC_RELAXED);
    __atomic_store_n(&pair[1], second + (first & 0) + 2 * i, __ATOMIC_RELAXED);
    __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
  }
}

int main(void) {
  struct cells *c = remote_alloc(sizeof *c);
  for (int i = 0; i < WORDS; ++i) {
    c->sum[i] = c->bits[i] = c->small[i] = 0;
    c->lowest[i] = 255;
  }
  printf("%lu\n", (unsigned long)histogram(c));
  minimum(c);
  print_digest("cells", c, sizeof *c);
  printf("hits %lu\n", (unsigned long)local_hits);
  uint64_t *pair = remote_words(3);
  pair[2] = 0;
  guarded((uint32_t *)&pair[2], pair);
  print_digest("pair", pair, 24);
  return 0;
}
