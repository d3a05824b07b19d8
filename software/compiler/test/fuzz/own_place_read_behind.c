// SPDX-License-Identifier: Apache-2.0
// Behind the loop the program wants what an iteration last left in an array that each has for itself.
// (It was read again from the variable in front of the loop, which nothing writes.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t by_clause(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8, a[8], last = 0;
#pragma asyncmem num_task(32) private(a)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    const uint64_t v = r8[i & 1023];
    for (int j = 0; j < 8; ++j)
      a[(j + v) & 7] = v >> j;
    const uint64_t w = r8[v & 1023];
    a[w & 7] += 5;
    last = a[w & 7];
    o8[i] = last;
  }
  return last;
}

uint64_t by_jump(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8, last = 0;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0;; ++i) {
    __builtin_is_remote(r8);
    const uint64_t v = r8[i & 1023];
    if (i & 1)
      goto next;
    uint64_t a[8];
    for (int j = 0; j < 8; ++j)
      a[(j + v) & 7] = v >> j;
    const uint64_t w = r8[v & 1023];
    a[w & 7] += 5;
    last = a[w & 7];
    o8[i] = last;
    if (i > n)
      break;
  next:;
  }
  return last;
}

const struct entry fuzz_entries[] = {{"by_clause", by_clause, {40, 17, 1000}}, {"by_jump", by_jump, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 2;
