// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 41653. A counter of 16 bits: what was asked for the choice at run time came before LLVM knew its bound, and the loop, accepted on trial,
// was refused.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t *w8 = e->w8;
  uint32_t *o4 = e->o4;
  uint64_t sink = 1;
  #pragma asyncmem num_task(500) shared_var(sink)
  for (uint16_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    {
      uint64_t v0 = r8[i * 7 + 1 & 1023];
      if (((uint64_t)i & 4)) {
        uint64_t h2 = v0;
        for (uint64_t j1 = (v0 & 63); j1-- > 0;) {
          h2 += fuzz_step(&w8[i * 201 + j1], &w8[i * 201 + j1 + 5]);
        }
        uint64_t v3 = h2;
        uint64_t v4 = h2;
      }
      uint64_t v5 = v0;
      uint64_t v6 = v5;
      uint64_t v7 = v5;
      if (((uint64_t)(uint8_t)(uint64_t)0xffffffffffffffffu != v7)) {
        uint64_t v8 = v0;
        const uint64_t t9 = o4[2047 - i];
        o4[2047 - i] = t9 + (uint64_t)1000003;
        const uint64_t y10 = r8[v7 & 1023];
        if (o4[2047 - i] < y10)
          o4[2047 - i] = y10;
      }
      sink += v0 * 1 + v5 * 3 + v6 * 5 + v7 * 7;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {2, 2, 6}, 6}};
const unsigned fuzz_entry_count = 1;
