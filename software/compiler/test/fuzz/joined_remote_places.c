// SPDX-License-Identifier: Apache-2.0
// Updates of remote words whose store goes to one of several places that were loaded before: optimisation joins indices or pointers where paths meet, or the
// source does. A lock of the word that was loaded first kept other tasks from that one only, so that updates of the other one were lost.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

// The second sum's old value is the first one's new one, or loaded on the way.
uint64_t indices(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *sums = e->atoms, *o8 = e->o8;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(sums);
    uint64_t v = r8[i & 1023];
    uint64_t k = v & 7;
    sums[k] += 1;
    if (v & 8) {
      k = v >> 20 & 7;
      o8[i] = v;
    }
    sums[k] += r8[v >> 5 & 1023];
  }
  return 0;
}

// The same from one iteration of an inner loop to the next.
uint64_t inner_indices(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *sums = e->atoms, *o8 = e->o8;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(sums);
    uint64_t v = r8[i & 1023], k = v & 7;
    sums[k] += 1;
    for (uint64_t turn = 0; turn < 6; ++turn) {
      uint64_t w = r8[v & 1023];
      sums[k] += w;
      if (!(w & 3))
        break;
      if (w & 4)
        continue;
      k = w >> 5 & 7;
      o8[i] += k;
      v = v * 5 + w;
    }
  }
  return 0;
}

struct counter {
  uint32_t kind, count;
};
static inline uint32_t kind_of(struct counter c) { return c.kind & 1023; }

// One branch loads the whole structure, both store one field of it.
uint64_t fields(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  struct counter *counters = (struct counter *)e->atoms;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(counters);
    uint64_t v = r8[i & 1023];
    if (v & 8)
      counters[v & 1].count += r8[(kind_of(counters[v & 1]) + i) & 1023];
    else
      counters[v & 1].count += v >> 7;
  }
  return 0;
}

// The first place is the iteration's own, the other one is not.
uint64_t own_or_shared(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict w8 = e->w8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    uint64_t v = r8[i], *place, sum;
    if (v & 1) {
      place = &w8[i + 1024];
      sum = *place + r8[v & 1023];
    } else {
      place = &w8[v >> 3 & 7];
      sum = *place + r8[v >> 7 & 1023] * 3;
    }
    *place = sum;
  }
  return 0;
}

// Equal keys that follow each other are added up in a register.
uint64_t runs(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict w8 = e->w8, *restrict l8 = e->l8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    uint64_t *place = &w8[l8[i] & 7], sum = *place;
    for (uint64_t j = 0; j < (i & 7); ++j) {
      uint64_t *next = &w8[l8[(i + j) & 1023] >> 3 & 7];
      if (next != place) {
        *place = sum;
        place = next;
        sum = *place;
      }
      sum += r8[(i * 3 + j) & 1023];
    }
    *place = sum;
  }
  return 0;
}

// A word is loaded in one iteration of the inner loop and stored in the next.
uint64_t ahead(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict w8 = e->w8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    uint64_t length = e->permutation[i] & 15, first = e->permutation[i ^ 5] & 15;
    uint64_t old = w8[first];
    for (uint64_t j = 0; j < length; ++j) {
      uint64_t next = w8[first + j + 1];
      w8[first + j] = old + r8[(i * 3 + j) & 1023];
      old = next;
    }
  }
  return 0;
}

const struct entry fuzz_entries[] = {
    {"indices", indices, {0, 17, 573}},
    {"inner_indices", inner_indices, {0, 17, 573}},
    {"fields", fields, {0, 17, 573}},
    {"own_or_shared", own_or_shared, {40, 17, 1000}},
    {"runs", runs, {40, 17, 1000}},
    {"ahead", ahead, {40, 17, 1000}},
};
const unsigned fuzz_entry_count = 6;
