// SPDX-License-Identifier: Apache-2.0
// How often the second inner loop is repeated depends on the last bits of i, of which there is no counter: code that computed it for requests of several
// elements made one in the loop that no task knew. (Reduced from seed 3405: the program had no end.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t repeats(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
  uint64_t bits = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[(i * 7 + 1) & 1023];
    if (v & 1) {
      uint64_t w = r8[(v + i) & 1023];
      for (uint64_t j = 0; j < ((i * v) & 3); ++j)
        o8[2 * i] ^= w;
    }
    uint64_t left = (i & 7) + 1;
    while (left-- > 1)
      bits |= (uint32_t)(r8[(2 * left) & 1023] - v);
  }
  return bits;
}

const struct entry fuzz_entries[] = {{"repeats", repeats, {0, 17, 73}}};
const unsigned fuzz_entry_count = 1;
