// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 19159. The loop of elements goes on where i & 3 is not zero, a value from in front of the tasks' loop:
// LLVM looks whether the program is undefined if it is poison, block by block, and met one that had no instruction yet.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint16_t *r2 = e->r2;
  int32_t *s4 = e->s4;
  uint64_t acc = 0;
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(r2);
    __builtin_is_remote(s4);
    const uint64_t rows = 31 + (i & 7), first = r8[i & 1023] & 127;
#pragma asyncmem num_task(300)
    for (uint64_t j = first; j < first + 2 * rows; j += 2) {
      const uint64_t value = (uint64_t)s4[(fuzz_at(r8, j)) & 1023];
      uint64_t k = (i & 3) + 1;
      do {
        acc -= (i & 3) ? (k >> (j & 31)) >> (r2[k & 1023] & 31) : (uint64_t)s4[j & 1023] + value;
      } while (--k > 1 && k < 9);
    }
  }
  return acc;
}
const struct entry fuzz_entries[] = {{"reduced", reduced, {3, 0, 40}, 40}};
const unsigned fuzz_entry_count = 1;
