// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Accesses that tasks do not wait for: streams forwards and backwards, lines
// that are there, rows, some of them empty, and what they lead to.
#include "common.h"

enum { COUNT = 500, WORDS = 1 << 10, CELLS = 300 };

struct cell {
  uint64_t count, keys[3];
  struct cell *next;
};

__attribute__((noinline)) static uint64_t backwards(const uint64_t *index, const uint64_t *values) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = COUNT - 1; i >= 0; --i) {
    __builtin_is_remote(index);
    __builtin_is_remote(values);
    sum += values[index[i] % WORDS] ^ (uint64_t)i;
  }
  return sum;
}

// The end of a row may change while it is read, for all the compiler knows.
__attribute__((noinline)) static void rows(uint64_t *starts, const uint64_t *columns, const uint64_t *values, uint64_t *sums) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(starts);
    __builtin_is_remote(columns);
    __builtin_is_remote(values);
    for (uint64_t e = starts[7 * i % 90]; e < starts[7 * i % 90 + 1]; ++e)
      sums[i] += values[columns[e] % WORDS] ^ e;
  }
}

__attribute__((noinline)) static uint64_t chains(const struct cell *cells) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i)
    for (const struct cell *c = &cells[mix(i) % CELLS]; c; c = c->next) {
      __builtin_is_remote(c);
      for (uint64_t k = 0; k < c->count; ++k)
        sum += c->keys[k] == 7 ? 1 : c->keys[k];
    }
  return sum;
}

// Rows at even distances, known or not; two elements at a time.
__attribute__((noinline)) static void matrix(const uint64_t *a, uint64_t *sums, uint64_t width) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 5; i < 50; i += 3) {
    __builtin_is_remote(a);
    uint64_t sum = 0;
    for (uint64_t j = 0; j < width; ++j)
      sum = 3 * sum + a[i * width + j];
    for (uint64_t j = 0; j < 20; j += 2)
      sum = 5 * sum + (a[20 * i + j] ^ a[20 * i + j + 1]);
    for (uint64_t j = 20; j-- > 1;)
      sum = 7 * sum + a[9 * i + j] * a[mix(a[9 * i + j - 1]) % WORDS];
    sums[i] = sum;
  }
}

// Only a stream.
__attribute__((noinline)) static void twice(uint64_t *a) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    a[i] *= 2;
  }
}

int main(void) {
  uint64_t *index = remote_words(WORDS), *values = remote_words(WORDS), *starts = remote_words(100);
  struct cell *cells = remote_alloc(CELLS * sizeof(struct cell));
  for (int i = 0; i < CELLS; ++i) {
    cells[i].count = mix(i) % 4;
    cells[i].next = i % 5 ? &cells[i - 1] : 0;
    for (uint64_t k = 0; k < 3; ++k)
      cells[i].keys[k] = 2 * mix(3 * i + k);
  }
  for (int i = 0; i < 100; ++i)
    starts[i] = i ? starts[i - 1] + mix(i) % 3 * 4 : 0;
  printf("backwards %lu\n", (unsigned long)backwards(index, values));
  static uint64_t sums[COUNT];
  rows(starts, index, values, sums);
  print_digest("rows", sums, sizeof sums);
  printf("chains %lu\n", (unsigned long)chains(cells));
  matrix(values, sums, 19);
  print_digest("matrix", sums, sizeof sums);
  twice(values);
  print_digest("twice", values, WORDS * 8);
  return 0;
}
