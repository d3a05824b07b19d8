// SPDX-License-Identifier: Apache-2.0
// Two updates of local words have alike ends, which become one: its load is that of the remote word on one path and of the local word on the other, and
// what the first path reads of its local word before was not seen to be that of the store. (Reduced from seed 122: an update got lost.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t joined_updates(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *l8 = e->l8, *hash = e->hash, *w8 = e->w8;
#pragma asyncmem num_task(64)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    uint64_t v = r8[i * i & 1023];
    if (l8[i & 1023] & 1) {
      uint64_t old = hash[v & 15];
      hash[v & 15] = w8[i ^ 1] + old;
    } else {
      hash[l8[i & 1023] & 15] += v;
    }
  }
  return 1;
}

const struct entry fuzz_entries[] = {{"joined_updates", joined_updates, {0, 100, 18}}};
const unsigned fuzz_entry_count = 1;
