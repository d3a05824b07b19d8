// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 147. The marked loop counts down and the length of the row depends on that: LLVM's expander gave the marked loop
// a counter of its own, which no task had.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t *atoms = e->atoms;
  uint64_t sink = 1;
  #pragma asyncmem num_task(2)
  for (uint64_t i = n; i > 0; --i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(atoms);
    {
      uint64_t v0 = r8[i & 1023];
      const uint64_t n2 = ((uint64_t)i) % 201 < 200 ? ((uint64_t)i) % 201 : 200;
      #pragma asyncmem
      for (uint64_t j1 = 0; j1 < n2; ++j1) {
        atoms[(uint64_t)j1 & 63] += (uint64_t)i;
        uint64_t v4 = (uint64_t)i;
      }
      sink += v0 * 1;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {3, 3, 0}}};
const unsigned fuzz_entry_count = 1;
