// SPDX-License-Identifier: Apache-2.0
// Loops whose plain iterations last a nanosecond or less. Names are those of the loops; times, of the processor, follow.
// RUN: %check_speed %s %t
#include "asyncmem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 100, COLUMNS = 600, BINS = 512, ELEMENTS = ROWS * COLUMNS, TIMES = 15 };

struct pair {
  uint64_t a, b;
};

__attribute__((noinline)) static void vectorized(uint32_t *y, const uint32_t *x, const uint32_t *place) {
  (void)place;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    for (uint64_t j = 0; j < COLUMNS; ++j)
      y[i * COLUMNS + j] = x[j] + 1;
  }
}

__attribute__((noinline)) static void bytes(uint32_t *to, const uint32_t *from, const uint32_t *place) {
  uint8_t *y = (uint8_t *)to;
  const uint8_t *x = (const uint8_t *)from;
  (void)place;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    for (uint64_t j = 0; j < 4 * COLUMNS; ++j)
      y[i * 4 * COLUMNS + j] = x[i * 4 * COLUMNS + j] ^ 7;
  }
}

__attribute__((noinline)) static void scattered(uint32_t *y, const uint32_t *x, const uint32_t *place) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    for (uint64_t j = 0; j < COLUMNS; ++j)
      y[i * COLUMNS + place[j]] = x[j];
  }
}

__attribute__((noinline)) static void updated(uint32_t *y, const uint32_t *x, const uint32_t *place) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    for (uint64_t j = 0; j < COLUMNS; ++j)
      y[i * COLUMNS + place[j]] += x[j];
  }
}

__attribute__((noinline)) static void histogram(uint32_t *y, const uint32_t *x, const uint32_t *place) {
  (void)place;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    for (uint64_t j = 0; j < COLUMNS; ++j)
      y[x[i * COLUMNS + j] % BINS]++;
  }
}

__attribute__((noinline)) static void pairs(uint32_t *to, const uint32_t *x, const uint32_t *place) {
  struct pair *y = (struct pair *)to;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ROWS / 4; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    for (uint64_t j = 0; j < COLUMNS; ++j) {
      struct pair *p = &y[i * COLUMNS + place[j]];
      p->a += x[j];
      p->b ^= x[j];
    }
  }
}

__attribute__((noinline)) static void triad(uint32_t *y, const uint32_t *x, const uint32_t *place) {
  (void)place;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ELEMENTS / 4; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    y[i] = x[i] + 3 * x[ELEMENTS / 2 + i];
  }
}

__attribute__((noinline)) static void scatter(uint32_t *y, const uint32_t *x, const uint32_t *place) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COLUMNS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    y[place[i]] = x[i];
  }
}

static const struct {
  const char *name;
  void (*run)(uint32_t *y, const uint32_t *x, const uint32_t *place);
} loops[] = {{"vectorized", vectorized}, {"bytes", bytes}, {"scattered", scattered}, {"updated", updated},
             {"histogram", histogram},   {"pairs", pairs}, {"triad", triad},     {"scatter", scatter}};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void) {
  uint32_t *y = remote_alloc(ROWS * COLUMNS * sizeof *y), *x = remote_alloc(ROWS * COLUMNS * sizeof *x), place[COLUMNS];
  memset(y, 0, ROWS * COLUMNS * sizeof *y);
  for (unsigned i = 0; i < ROWS * COLUMNS; ++i)
    x[i] = i * 2654435761u >> 7;
  for (unsigned j = 0; j < COLUMNS; ++j)
    place[j] = j * 7 % COLUMNS;
  for (unsigned i = 0; i < sizeof loops / sizeof *loops; ++i) {
    double best = 1;
    for (unsigned n = 0; n < TIMES; ++n) {
      double begin = now();
      loops[i].run(y, x, place);
      double time = now() - begin;
      best = time < best ? time : best;
    }
    printf("%s %.9f\n", loops[i].name, best);
  }
  return 0;
}
