// SPDX-License-Identifier: Apache-2.0
// HPCC RandomAccess: 128 streams of pseudo-random numbers, a word of the table changed by each number; the short loop is the marked one.
// RUN: %same_results %s %t
#include "kernel.h"

enum { POLY = 7, STREAMS = 128 };

struct table {
  uint64_t *table, size, updates, ran[STREAMS];
};

#ifndef ONE_STREAM
static void update(struct table *t) {
  uint64_t *table = t->table, *ran = t->ran, size = t->size;
  for (uint64_t i = 0; i < t->updates / STREAMS; i++) {
#pragma asyncmem num_task(16) lossy_update(table)
    for (uint64_t j = 0; j < STREAMS; j++) {
      __builtin_is_remote(table);
      ran[j] = (ran[j] << 1) ^ ((int64_t)ran[j] < 0 ? POLY : 0);
      table[ran[j] & (size - 1)] ^= ran[j];
    }
  }
}
#else
static void update(struct table *t) {
  uint64_t *table = t->table, size = t->size, updates = t->updates, ran = t->ran[0];
#pragma asyncmem num_task(16) lossy_update(table)
  for (uint64_t i = 0; i < updates; i++) {
    __builtin_is_remote(table);
    ran = (ran << 1) ^ ((int64_t)ran < 0 ? POLY : 0);
    table[ran & (size - 1)] ^= ran;
  }
}
#endif

void *kernel_make(size_t bytes) {
  struct table *t = malloc(sizeof *t);
  t->size = 1;
  while (2 * t->size * sizeof(uint64_t) <= bytes)
    t->size *= 2;
  t->updates = t->size < 1 << 20 ? 4 * t->size : 1 << 22;
  t->table = remote_alloc(t->size * sizeof(uint64_t));
  memset(t->table, 0, t->size * sizeof(uint64_t));
  return t;
}

void kernel_reset(void *data) {
  struct table *t = data;
  for (uint64_t i = 0; i < t->size; ++i)
    t->table[i] = i;
  for (uint64_t j = 0; j < STREAMS; ++j)
    t->ran[j] = mix(j);
}

// An update may get lost, so that only where the numbers end is sure.
uint64_t kernel_run(void *data) {
  struct table *t = data;
  update(t);
  return t->ran[0];
}
