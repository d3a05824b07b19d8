// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 15532. Both updates of a local word are one on the path where they meet: what the first one stored goes on
// in a register, and the second one's store is at an address that paths join. The checker took it for a read and a write.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint16_t *r2 = e->r2;
  uint64_t *atoms = e->atoms;
#pragma asyncmem num_task(16)
  for (uint64_t j = 0; j < n; ++j) {
    __builtin_is_remote(r2);
    const uint64_t value = r2[(j * 37) & 1023];
    uint64_t k = (j | value) & 63;
    atoms[k] += j;
    if (value > 255)
      k = fuzz_mix(value) & 63;
    atoms[k] += value;
  }
  return atoms[0];
}
const struct entry fuzz_entries[] = {{"reduced", reduced, {1, 60, 600}, 600}};
const unsigned fuzz_entry_count = 1;
