// SPDX-License-Identifier: Apache-2.0
// Several cases of a switch leave the loop for one block.
// (Reduced from seeds 11865 and 12657, where checks of the undefined behaviour sanitizer were such a switch: what chooses between the plain loop and
// tasks added one value for all of these edges.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t left_by_switch(struct env *e, uint64_t n) {
  uint64_t *restrict l8 = e->l8, *restrict r8 = e->r8;
  uint64_t sum = 1, i = 0;
#pragma asyncmem num_task(16)
  for (; i < n; ++i) {
    __builtin_is_remote(r8);
    switch (l8[i & 1023] & 511) {
    case 3:
    case 99:
    case 207:
    case 511:
      goto left;
    }
    sum += r8[l8[i & 1023] & 1023] ^ i;
  }
left:
  return sum * 31 + i;
}

const struct entry fuzz_entries[] = {{"left_by_switch", left_by_switch, {300, 7, 1000}}};
const unsigned fuzz_entry_count = 1;
