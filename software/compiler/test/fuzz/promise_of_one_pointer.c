// SPDX-License-Identifier: Apache-2.0
// distinct_update() promises something of what one pointer points to, not of the whole array: other updates in it stay exclusive.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t distinct(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *w = e->w8, *p = w;
#pragma asyncmem num_task(32) distinct_update(p)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w);
    uint64_t v = r8[i];
    p = &w[1024 + i];
    *p += v;
    w[v & 3] += v;
  }
  return 0;
}

const struct entry fuzz_entries[] = {{"distinct", distinct, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 1;
