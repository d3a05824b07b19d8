// SPDX-License-Identifier: Apache-2.0
// Words of local memory from which addresses come are written two iterations of the inner loop before they are read.
// (In one iteration the places differ, so strips read the words ahead.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t written_ahead(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, sum = 0;
  uint32_t *o4 = e->o4;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t hash = 0;
    for (uint64_t j = 0; j < 4 + i % 16; ++j) {
      const uint32_t place = o4[24 * i + j];
      hash = hash * 3 + r8[place & 1023];
      o4[24 * i + j + 2] = place * 5 + 1;
    }
    sum += hash;
  }
  return sum;
}

const struct entry fuzz_entries[] = {{"written_ahead", written_ahead, {0, 17, 73}}};
const unsigned fuzz_entry_count = 1;
