// SPDX-License-Identifier: Apache-2.0
// A shared inner loop updates one word of local memory, which GVN carries in a register: a task that runs a part of the loop stored the sum of its part.
// (Reduced from seed 2305: the word had any value.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t one_update(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8, *w8 = e->w8;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    uint64_t v = r8[i & 1023];
#pragma asyncmem
    for (uint64_t j = 0; j < 150; ++j)
      o8[i] += r8[j & 1023];
    w8[i] += v;
  }
  return 1;
}

// The first update of an iteration is stored only with the second one.
uint64_t two_updates(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *r4 = e->r8, *o8 = e->o8, *w8 = e->w8;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    uint64_t v = r8[i & 1023];
#pragma asyncmem
    for (uint64_t j = 0; j < 100 + i; ++j) {
      o8[i] += j * 3;
      o8[i] += r4[(r8[j & 1023] + v) & 1023];
    }
    w8[i] ^= v;
  }
  return 1;
}

const struct entry fuzz_entries[] = {{"one_update", one_update, {3, 0, 3}}, {"two_updates", two_updates, {3, 0, 9}}};
const unsigned fuzz_entry_count = 2;
