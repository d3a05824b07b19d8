// SPDX-License-Identifier: Apache-2.0
// An atomic operation reaches remote or local memory by one pointer. On the AMU it is a load and a store, between which local operations may come.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t both_atomic(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *atoms = e->atoms, *h = e->hash;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(atoms);
    uint64_t v = r8[i];
    uint64_t *p = v & 1 ? &atoms[v >> 3 & 63] : &h[v >> 3 & 3];
    __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
    __atomic_fetch_add(&h[i & 3], 5, __ATOMIC_RELAXED);
  }
  return 0;
}

uint64_t plain(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *atoms = e->atoms, *h = e->hash;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(atoms);
    uint64_t v = r8[i];
    uint64_t *p = v & 1 ? &atoms[v >> 3 & 63] : &h[v >> 3 & 3];
    __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
    h[i & 3] += 5;
  }
  return 0;
}

const struct entry fuzz_entries[] = {{"both_atomic", both_atomic, {40, 17, 1000}}, {"plain", plain, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 2;
