// SPDX-License-Identifier: Apache-2.0
// Where the end is not known, what a loop starts with is hidden from its tasks; a pointer that each iteration sets anew needs no start.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t dead(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *w = e->w8, *p = w;
#pragma asyncmem num_task(32) distinct_update(p)
  for (uint64_t left = n; left; left = left > 3 ? left - 3 : 0) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w);
    uint64_t v = r8[left];
    p = &w[1024 + left];
    *p += v;
    w[v & 3] += v;
  }
  return 0;
}

const struct entry fuzz_entries[] = {{"dead", dead, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 1;
