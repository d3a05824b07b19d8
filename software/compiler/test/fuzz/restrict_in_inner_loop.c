// SPDX-License-Identifier: Apache-2.0
// Pointers of an inlined function are restrict: they stay apart in one call, that is in one iteration of the inner loop, not from one to the next.
// (What is fetched ahead, rows, strips, records and a kept line, did not notice these stores.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t row(struct env *e, uint64_t n) {
  uint64_t *w8 = e->w8;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(w8);
    for (uint64_t j = 0; j < 4 + i % 20; ++j)
      fuzz_step(&w8[32 * i + j + 2], &w8[32 * i + j]);
  }
  return 0;
}

uint64_t strip(struct env *e, uint64_t n) {
  uint64_t *w8 = e->w8, sum = 0;
  const uint32_t *places = e->permutation;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(w8);
    for (uint64_t j = 0; j < n / 2; ++j)
      sum += fuzz_step(&w8[32 * i + (places[j] & 15) + 5], &w8[32 * i + (places[j] & 15)]) * j;
  }
  return sum;
}

struct record {
  uint64_t count, words[7];
};

uint64_t record(struct env *e, uint64_t n) {
  struct record *records = (struct record *)e->w8;
  const uint64_t *l8 = e->l8;
#pragma asyncmem num_task(8)
  for (struct record *p = records; p != records + n; ++p) {
    __builtin_is_remote(p);
    const uint64_t count = p->count & 7;
    for (uint64_t j = 0; j < count; ++j) {
      const uint64_t place = l8[count + j * 7 & 1023] % 6;
      fuzz_step(&p->words[place + 1], &p->words[place]);
    }
  }
  return 0;
}

static inline uint64_t count(uint64_t *restrict counts, const uint64_t *restrict words, uint64_t a, uint64_t b) {
  counts[a] += 1;
  return words[b];
}

uint64_t kept_line(struct env *e, uint64_t n) {
  uint64_t *w8 = e->w8, sum = 0;
#pragma asyncmem num_task(8) distinct_update(w8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(w8);
    uint64_t *own = w8 + 16 * i;
    for (uint64_t j = 0; j < (i & 31); ++j)
      sum += count(own, own, j & 7, (j * 4 & 7) == (j & 7) ? 9 : j * 4 & 7) * j;
  }
  return sum;
}

const struct entry fuzz_entries[] = {
    {"row", row, {0, 17, 60}}, {"strip", strip, {0, 17, 60}}, {"record", record, {0, 17, 73}}, {"kept_line", kept_line, {0, 17, 73}}};
const unsigned fuzz_entry_count = 4;
