// SPDX-License-Identifier: Apache-2.0
// The update of a remote word ends where a switch goes to one block for several of its cases: no edge of those is critical. (Reduced from seed
// 6516: the compiler crashed.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t update(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *w8 = e->w8, *o8 = e->o8;
  uint32_t *permutation = e->permutation;
  uint64_t sum = 1;
#pragma asyncmem num_task(31)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    uint64_t v = r8[i * i & 1023], old = w8[permutation[i]];
    switch (old & 7) {
    case 0:
    case 5:
      o8[2 * i] = v;
      sum += o8[2 * i + 1] * 3;
      break;
    case 1:
      w8[permutation[i]] = old + v;
      break;
    default:
      w8[permutation[i]] = old ^ v;
    }
    sum += v;
  }
  return sum;
}

const struct entry fuzz_entries[] = {{"update", update, {40, 17, 200}}};
const unsigned fuzz_entry_count = 1;
