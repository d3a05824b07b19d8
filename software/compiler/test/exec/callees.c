// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Callees the inliner left alone: one that writes through a pointer, one that
// reads remote memory it is given, one that calls another, one that neither
// waits nor writes.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 500 };

struct pair {
  uint64_t first, second;
};

__attribute__((noinline)) static void put(struct pair *p, uint64_t v, int i) {
  p->first = v;
  p->second += v * (uint64_t)i;
}

__attribute__((noinline)) static uint64_t chase(const uint64_t *words,
                                                uint64_t at, int steps) {
  while (steps--)
    at = words[at % WORDS];
  return at;
}

__attribute__((noinline)) static uint64_t twice(const uint64_t *words,
                                                uint64_t at) {
  uint64_t state[3] = {at, 1, 2};
  for (int i = 0; i < 4; ++i)
    state[i % 3] += chase(words, state[i % 3], i);
  return state[0] ^ state[1] ^ state[2];
}

__attribute__((noinline)) static uint64_t scale(uint64_t v) {
  while (v > 1000)
    v = v / 3 + 1;
  return v;
}

__attribute__((noinline)) static uint64_t run(const uint64_t *words,
                                              struct pair *out, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(20) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(words);
    __builtin_is_remote(out);
    uint64_t v = words[i];
    if (v % 3)
      put(&out[i], chase(words, v, i % 5), i);
    else
      put(&out[i], twice(words, v), 3);
    sum += scale(v);
  }
  return sum;
}

int main(void) {
  uint64_t *words = remote_words(WORDS);
  struct pair *out = remote_alloc(COUNT * sizeof(struct pair));
  for (int i = 0; i < COUNT; ++i)
    out[i] = (struct pair){0, mix(i)};
  printf("sum %lu\n", (unsigned long)run(words, out, COUNT));
  print_digest("out", out, COUNT * sizeof *out);
  return 0;
}
