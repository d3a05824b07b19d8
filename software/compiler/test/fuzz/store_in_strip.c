// SPDX-License-Identifier: Apache-2.0
// An inner loop that tasks share begins where memory says, and updates an element of what it fetches by strips. The store is requested together with a load
// that needs a strip's element.
// (Reduced from seed 13118: the store's address was computed again behind the requests.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t store_in_strip(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *w8 = e->w8;
  uint32_t *r4 = e->r4;
  uint8_t *r1 = e->r1;
  uint64_t sum = 1;
#pragma asyncmem num_task(64)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(r4);
    __builtin_is_remote(r1);
    __builtin_is_remote(w8);
    const uint64_t first = r8[i * i & 1023] & 127;
    for (uint64_t j = first; j < first + 199; ++j) {
      sum += r4[r1[j] & 1023];
      w8[i * 201 + (j - first)] += i;
    }
  }
  return sum;
}

const struct entry fuzz_entries[] = {{"store_in_strip", store_in_strip, {3, 7, 0}}};
const unsigned fuzz_entry_count = 1;
