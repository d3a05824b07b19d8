// SPDX-License-Identifier: Apache-2.0
// A marked pointer is changed in the loop by something that has its address, a lambda or another pointer, or is read as another type, in a union.
// (What reads it was taken to see the same pointer in all of an iteration.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t lambda(env *e, uint64_t n) {
  uint64_t *o8 = e->o8, *low = e->r8, *high = e->r8 + 512, *p = low;
  auto flip = [&](uint64_t i) { p = i & 1 ? low : high; };
#pragma asyncmem num_task(9)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(p);
    const uint64_t v = p[i & 511];
    flip(i);
    o8[i] = v + p[(i + 1) & 511];
  }
  return 1;
}

struct holder {
  uint64_t **at;
};

uint64_t held(env *e, uint64_t n) {
  uint64_t *o8 = e->o8, *low = e->r8, *high = e->r8 + 512, *p = low;
  holder h = {&p};
#pragma asyncmem num_task(9)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(p);
    const uint64_t v = p[i & 511];
    *h.at = i & 4 ? high : low;
    o8[i] = v * 3 + p[(i + 1) & 511];
  }
  return p == low;
}

uint64_t in_union(env *e, uint64_t n) {
  union {
    uint64_t *p;
    uint64_t bits;
  } u = {e->r8};
  uint64_t *o8 = e->o8, first = u.bits, sum = 0;
#pragma asyncmem num_task(9)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(u.p);
    const uint64_t v = u.p[i & 1023];
    sum += u.bits - first;
    o8[i] = u.p[v & 1023];
  }
  return sum;
}

extern "C" const entry fuzz_entries[] = {{"lambda", lambda, {40, 17, 1000}}, {"held", held, {40, 17, 1000}}, {"in_union", in_union, {40, 17, 1000}}};
extern "C" const unsigned fuzz_entry_count = 3;
