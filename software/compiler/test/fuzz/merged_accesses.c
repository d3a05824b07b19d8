// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 12652: result under riscv-bafin-O3-all-minimal. The optimizer makes one update, over a phi of the
// addresses, of one of a local place that iterations share and one of a remote place.
#include "harness.h"
uint64_t merged(struct env *e, uint64_t n) {
  uint64_t *l8 = e->l8, *w8 = e->w8, *hash = e->hash, sum = 0;
#pragma asyncmem num_task(64)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(w8);
    uint64_t v = l8[i];
    if (v & 1)
      hash[v >> 60] += v;
    else
      w8[i] += i;
    sum += v;
  }
  return sum;
}
const struct entry fuzz_entries[] = {{"merged", merged, {5, 41, 500}}};
const unsigned fuzz_entry_count = 1;
