// SPDX-License-Identifier: Apache-2.0
// An inner loop updates a remote word; on two of the ways out of it the update ends. A block on the first one moved the other one to another block. (Reduced
// from seed 3801: the compiler crashed.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t update(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  struct node *nodes = e->nodes;
  struct cell *cells = e->cells;
  uint16_t *w2 = e->w2;
  uint32_t *permutation = e->permutation;
  uint64_t sum = 1;
#pragma asyncmem num_task(31)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(nodes);
    __builtin_is_remote(w2);
    __builtin_is_remote(cells);
    uint64_t v = r8[i * i & 1023];
    for (struct node *j = &nodes[0]; j; j = j->next) {
      __builtin_is_remote(j);
      struct cell *q = &cells[permutation[i]];
      q->z += w2[2047 - i];
      if (q->t[fuzz_mix(j->key) & 1] & 1 && q->x & 4)
        break;
    }
    sum += v;
  }
  return sum;
}

const struct entry fuzz_entries[] = {{"update", update, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 1;
