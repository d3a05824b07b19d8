// SPDX-License-Identifier: Apache-2.0
// A place that is given a sum at some of its updates only, or one of two sums, holds what the last such iteration stored. Only where each update of
// one sum goes there at once, once or more often, is it the newest in any order.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t sometimes(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict p = e->global, sum = 1;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    if (v & 1) {
      sum += v;
      *p = sum;
    } else {
      sum += v * 3;
    }
  }
  return sum;
}

uint64_t two_sums(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict p = e->global, a = 1, b = 5;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    if (v & 1) {
      a += v;
      *p = a;
      uint64_t u = r8[v & 1023];
      if (u & 1)
        e->o8[i] = u;
    } else {
      b += v;
      *p = b;
    }
  }
  return a * 3 + b;
}

uint64_t two_places(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict p = e->hash, sum = 1;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    sum += v;
    p[0] = sum;
    p[1] = sum;
    if (r8[v & 1023] & 1) {
      sum += 3;
      p[0] = sum;
      sum += i;
      p[1] = sum;
      p[0] = sum;
    }
  }
  return sum;
}

const struct entry fuzz_entries[] = {
    {"sometimes", sometimes, {40, 17, 1000}},
    {"two_sums", two_sums, {40, 17, 1000}},
    {"two_places", two_places, {40, 17, 1000}},
};
const unsigned fuzz_entry_count = 3;
