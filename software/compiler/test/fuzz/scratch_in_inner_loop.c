// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 367: result under x86-static-Os.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint32_t *r4 = e->r4;
  uint64_t q1[4] = {1, 2, 3, 4};
  uint64_t sink = 1;
  #pragma asyncmem num_task(2)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(r4);
    {
      uint64_t v0 = r8[i & 1023];
      for (uint64_t k2 = 0; k2 < 4; ++k2)
        q1[k2] = (((uint64_t)i & 1) ? (uint64_t)i : (uint64_t)r4[(uint64_t)i & 1023]);
      sink += v0 * 1 + q1[0] * 3;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {3, 3, 0}}};
const unsigned fuzz_entry_count = 1;
