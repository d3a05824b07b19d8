// SPDX-License-Identifier: Apache-2.0
// Behind the loop the place is read that the last iteration may have written; what it holds then may be in a register as one of two values, of which one was
// only read. Other tasks may write there after the last iteration.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t local(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *h = e->hash, *p = h;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    p = &h[v & 3];
    if (*p < v)
      *p = v;
  }
  return *p;
}

uint64_t remote(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *w = e->w8, *p = w;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w);
    uint64_t v = r8[i];
    p = &w[v & 3];
    if (*p < v)
      *p = v;
  }
  return *p;
}

uint64_t sum(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *w = e->w8, *p = w;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w);
    uint64_t v = r8[i];
    p = &w[v & 3];
    *p += v;
    if (r8[v & 1023] & 1)
      *p += 9;
  }
  return *p;
}

const struct entry fuzz_entries[] = {{"local", local, {40, 17, 1000}}, {"remote", remote, {40, 17, 1000}}, {"sum", sum, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 3;
