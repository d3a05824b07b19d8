// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops that stay serial give the serial results, whatever their clauses say: MAY_STAY_SERIAL.
#include "common.h"

enum { WORDS = 64, COUNT = 100 };

__attribute__((noinline)) static uint64_t sometimes(uint64_t *t, int n) {
  uint64_t k = 5;
#pragma asyncmem num_task(4) lastprivate(k)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    uint64_t v = t[i * 7 % WORDS];
    if (v & 1)
      k = v;
  }
  return k;
}

// The iterations read what private() and firstprivate() would separate.
__attribute__((noinline)) static uint64_t carried(uint64_t *t, int n) {
  uint64_t p = 3, f = 4, l = 5, at = 6;
#pragma asyncmem num_task(4) private(p) firstprivate(f) lastprivate(l)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    at = t[at % WORDS];
    p = p * 3 + at;
    f += p;
    l = f ^ p;
  }
  return p + f * 3 + l * 5 + at * 7;
}

__attribute__((noinline)) static uint64_t ordered(uint64_t *t, int n) {
  uint64_t p = 3, f = 4;
#pragma asyncmem num_task(4) firstprivate(f) private(p)
  for (int i = 1; i < n; ++i) {
    __builtin_is_remote(t);
    f += t[i];
    p = f * 3;
    t[i] = t[i - 1] + p;
  }
  return p + f * 3;
}

int main(void) {
  uint64_t *t = remote_words(WORDS);
  for (int i = 0; i < WORDS; ++i)
    t[i] = (uint64_t)i * 29 % 31;
  for (int n = 0; n < COUNT; n += 9)
    printf("%ld\n", (long)sometimes(t, n));
  for (int n = 0; n < COUNT; n += 9)
    printf("%ld\n", (long)carried(t, n));
  for (int n = 0; n < WORDS; n += 9)
    printf("%ld\n", (long)ordered(t, n));
  print_digest("t", t, WORDS * sizeof *t);
  return 0;
}
