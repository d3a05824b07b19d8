// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Plain updates of few remote words by many iterations: none gets lost.
#include "common.h"

#ifndef COUNT
#define COUNT 600
#endif
enum { WORDS = 8, CELLS = 5, READS = 1 << 10 };

struct cell {
  uint64_t sum;
  uint32_t bits;
  int16_t small;
  uint8_t low;
};

__attribute__((noinline)) static void count(uint64_t *x, const uint32_t *k) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(x);
    x[k[i]]++;
  }
}

// Fields of one word, one after the other; another remote access between load and store.
__attribute__((noinline)) static void fields(struct cell *cells, const uint64_t *read) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(cells);
    __builtin_is_remote(read);
    uint64_t m = mix(i);
    struct cell *c = &cells[m % CELLS];
    uint64_t before = c->sum;
    c->sum = before + read[(before * 0 + m) % READS];
    c->bits ^= (uint32_t)m;
    c->small += (int16_t)(m >> 9);
    c->low |= 1 << (m >> 20 & 7);
  }
}

// The load decides whether there is a store: a minimum and a maximum, with a way out between.
__attribute__((noinline)) static uint64_t extremes(uint64_t *low, uint64_t *high, const uint64_t *read) {
  uint64_t seen = 0;
#pragma asyncmem num_task(64) reduction(+ : seen)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(low);
    __builtin_is_remote(high);
    __builtin_is_remote(read);
    uint64_t m = mix(i), v = m >> 11;
    if (m & 32) {
      if (v < low[m % WORDS])
        low[m % WORDS] = v;
      seen += read[m / 3 % READS];
      continue;
    }
    if (high[m % WORDS] >= v)
      continue;
    if (read[m % READS] != 17)
      high[m % WORDS] = v;
  }
  return seen;
}

// Rows of the same words by many iterations, and each path with an update of its own.
__attribute__((noinline)) static void rows(uint64_t *x, const uint64_t *read, int length) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(read);
    for (int j = 0; j < length; ++j)
      x[(i + j) % WORDS] += read[i + j];
    switch (mix(i) & 3) {
    case 0:
      x[i % 3]++;
      break;
    case 1:
      x[i % 5] += 100;
      break;
    case 2:
      x[i % 7] -= read[i];
    }
  }
}

__attribute__((noinline)) static void sliding(uint64_t *x, const uint64_t *read, int length) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(read);
    for (int j = 0; j < length; ++j)
      x[i + j] += read[2 * i + j];
  }
}

__attribute__((noinline)) static void strides(uint64_t *x, const uint32_t *k) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT / 3; ++i) {
    __builtin_is_remote(x);
    x[i] += 3;
    x[k[i]] += 7;
  }
}

// A plain and an atomic update of the same words, also with a suspension between load and store.
__attribute__((noinline)) static void both(uint64_t *x) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(x);
    uint64_t m = mix(i);
    x[m % WORDS] += 3;
    __atomic_fetch_add(&x[m / 8 % WORDS], 5, __ATOMIC_RELAXED);
    uint64_t before = x[m / 64 % WORDS];
    x[m / 64 % WORDS] = before + x[WORDS + before % 7];
  }
}

int main(void) {
  uint64_t *x = remote_words(COUNT + READS), *read = remote_words(2 * READS);
  uint64_t *low = remote_words(WORDS), *top = remote_words(WORDS);
  struct cell *cells = remote_alloc(CELLS * sizeof *cells);
  static uint32_t k[COUNT];
  for (int i = 0; i < COUNT; ++i)
    k[i] = mix(i) % WORDS;
  for (int i = 0; i < CELLS; ++i)
    cells[i] = (struct cell){1, 2, 3, 4};
  for (int i = 0; i < WORDS; ++i)
    top[i] = 0;
  count(x, k);
  print_digest("count", x, 8 * WORDS);
  fields(cells, read);
  print_digest("cells", cells, CELLS * sizeof *cells);
  printf("%lx\n", (unsigned long)extremes(low, top, read));
  print_digest("low", low, 8 * WORDS);
  print_digest("high", top, 8 * WORDS);
  rows(x, read, 5);
  rows(x, read, 0);
  print_digest("rows", x, 8 * WORDS);
  sliding(x, read, 9);
  sliding(x, read, 1);
  print_digest("sliding", x, 8 * (COUNT + 9));
  strides(x, k);
  print_digest("strides", x, 8 * (COUNT + 9));
  for (int i = 0; i < 7; ++i)
    x[WORDS + i] = 11;
  both(x);
  print_digest("both", x, 8 * WORDS);
  return 0;
}
