// SPDX-License-Identifier: Apache-2.0
// Behind the inner loop the program has the word that all its iterations update in a register, from the last iteration, which is not the last one to update it.
// (Reduced from seed 5622: what was left in the word lacked the updates of tasks that had waited longer.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t read_behind(struct env *e, uint64_t n) {
  uint64_t *restrict l8 = e->l8, *restrict r8 = e->r8, *restrict w8 = e->w8, *restrict atoms = e->atoms;
  uint32_t *restrict permutation = e->permutation, *restrict r4 = e->r4;
  struct node *restrict nodes = e->nodes;
  struct row *restrict rows = e->rows;
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(rows);
    uint64_t v = r8[i * i & 1023];
    const uint64_t count = i & 3 ? 3 : 200;
#pragma asyncmem num_task(64)
    for (uint32_t j = 0; j < (uint32_t)count; ++j) {
      const uint64_t w = r8[v & 1023];
      __atomic_fetch_add(&atoms[l8[fuzz_list_sum(&nodes[v & 255]) & 1023] & 63], nodes[1].tag, __ATOMIC_RELAXED);
      if ((w | j) & 4)
        __atomic_fetch_add(&atoms[w * r4[w & 1023] & 63], rows[permutation[i]].name[18], __ATOMIC_RELAXED);
      w8[permutation[i]] += (w * i) | (w << 1);
    }
    w8[permutation[i]] ^= v * 4;
  }
  return 1;
}

const struct entry fuzz_entries[] = {{"read_behind", read_behind, {3, 2, 8}}};
const unsigned fuzz_entry_count = 1;
