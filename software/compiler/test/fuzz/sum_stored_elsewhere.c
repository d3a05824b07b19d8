// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 39744. A value that grows by 5 is added to a word in memory: that store is no use of a sum that each iteration may have for itself.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t *hash = e->hash;
  uint64_t *w8 = e->w8;
  uint64_t seq1 = 1;
  uint64_t x2 = 5;
  #pragma asyncmem num_task(1)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    seq1 += 5;
    {
      uint64_t v0 = r8[i & 1023];
      hash[(uint64_t)1 & 63] += seq1;
      x2 = x2 * 3 + (uint64_t)i;
      w8[i] ^= v0 * 1;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)seq1;
  result = result * 31 + (uint64_t)x2;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {3, 3, 0}, 1000}};
const unsigned fuzz_entry_count = 1;
