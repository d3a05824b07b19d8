// SPDX-License-Identifier: Apache-2.0
// Iterations that certainly meet in local memory, where it shows only on a second look: optimisation made one access of two, updates have different sizes, a
// counter of 32 bits may wrap around.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

static uint64_t last_odd, last_even;
uint64_t merged_stores(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    if (v & 1)
      last_odd = v;
    else
      last_even = v;
  }
  return last_odd * 3 + last_even;
}

uint64_t merged_elements(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    if (v & 1)
      o8[i] = v;
    else
      o8[i + 3] = v;
  }
  return 0;
}

uint64_t merged_loads(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    o8[i + 5] = v + (v & 8 ? o8[i] : o8[i + 3]);
  }
  return 0;
}

// What is carried out of the lower half gets lost, or not.
union word {
  uint64_t whole;
  uint32_t half[2];
};
uint64_t two_sizes(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8;
  union word *word = (union word *)&e->hash[3];
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    if (v & 1)
      word->whole += v;
    else
      word->half[0] += (uint32_t)(v >> 7);
  }
  return 0;
}

uint64_t narrow_counter(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint32_t i = 0; i < (uint32_t)n; ++i) {
    __builtin_is_remote(r8);
    o8[i + 2] = o8[i] + r8[i];
  }
  return 0;
}

const struct entry fuzz_entries[] = {
    {"merged_stores", merged_stores, {40, 17, 1000}},
    {"merged_elements", merged_elements, {40, 17, 1000}},
    {"merged_loads", merged_loads, {40, 17, 1000}},
    {"two_sizes", two_sizes, {40, 17, 1000}},
    {"narrow_counter", narrow_counter, {40, 17, 1000}},
};
const unsigned fuzz_entry_count = 5;
