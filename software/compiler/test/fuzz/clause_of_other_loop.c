// SPDX-License-Identifier: Apache-2.0
// shared_var() says of one loop that the order of its iterations does not matter to a variable, not of others that use it.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

static uint64_t count, list[1024];

uint64_t shared(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, sum = 0;
  count = 0;
#pragma asyncmem num_task(32) shared_var(count)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    if (v & 1)
      list[count++] = v;
  }
  for (uint64_t i = 0; i < count; ++i)
    sum += list[i];
  return sum;
}

uint64_t last(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    if (r8[i] & 1)
      count = r8[i];
  }
  return count;
}

uint64_t both(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, word = 0;
#pragma asyncmem num_task(32) shared_var(word)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    if (r8[i] & 1)
      list[word++] = r8[i];
  }
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    if (r8[i] & 1)
      word = r8[i];
  }
  return word;
}

const struct entry fuzz_entries[] = {{"shared", shared, {40, 17, 1000}}, {"last", last, {40, 17, 1000}}, {"both", both, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 3;
