// SPDX-License-Identifier: Apache-2.0
// An inner loop polls a word that the iteration before writes, and makes a remote access on a path that it does not take: no other task would run. (The program
// did not end.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

static uint64_t flags[2048];

uint64_t poll(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
  __builtin_memset(flags, 0, sizeof flags);
  flags[0] = 1;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i * 7 & 1023], sum = 0;
    while (!__atomic_load_n(&flags[i], __ATOMIC_ACQUIRE))
      if (v == 12345)
        sum += r8[sum & 1023];
    o8[i] = v + sum;
    __atomic_store_n(&flags[i + 1], 1, __ATOMIC_RELEASE);
  }
  return 0;
}

// Here nothing is waited for: a counter ends the inner loop.
uint64_t count(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict h = e->hash;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i], end = v & 7;
    for (uint64_t j = 0; j < end; ++j)
      if (__atomic_fetch_add(&h[j], v, __ATOMIC_RELAXED) == 1)
        v += r8[v & 1023];
  }
  return 0;
}

const struct entry fuzz_entries[] = {{"poll", poll, {40, 17, 1000}}, {"count", count, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 2;
