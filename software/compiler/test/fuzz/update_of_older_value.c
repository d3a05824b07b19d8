// SPDX-License-Identifier: Apache-2.0
// What is stored at one place follows from a value that the place no longer holds, or not yet. An update that is made whole
// reads the place again, which must hold what it read before.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t twice_from_one(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t *p = &o8[e->permutation[i]];
    uint64_t old = *p + 1;
    *p = old;
    uint64_t v = r8[i];
    *p = old + v;
    *p = old + r8[v & 1023];
  }
  return 0;
}

uint64_t progress(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t *p = &o8[e->permutation[i]];
    uint64_t old = *p;
    for (uint64_t j = 0; j < (i & 3); ++j)
      *p = old + r8[(i + j) & 1023];
  }
  return 0;
}

uint64_t computed_early(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t *p = &o8[e->permutation[i]];
    uint64_t old = *p;
    uint64_t v = r8[i], first = old + v, second = first + e->permutation[i];
    *p = first;
    uint64_t x = e->hash[v & 63];
    *p = second;
    e->packed[i] = x;
  }
  return 0;
}

const struct entry fuzz_entries[] = {
    {"twice_from_one", twice_from_one, {40, 17, 1000}},
    {"progress", progress, {40, 17, 1000}},
    {"computed_early", computed_early, {40, 17, 1000}},
};
const unsigned fuzz_entry_count = 3;
