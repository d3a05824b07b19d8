// SPDX-License-Identifier: Apache-2.0
// Updates of local words that are read before a remote access and written behind it, at addresses that are equal only on some paths, on some bytes, in the
// next iteration of an inner loop, or in iterations whose rows overlap: what other tasks wrote meanwhile was lost.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t indices(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *hash = e->hash, *o8 = e->o8;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i & 1023];
    uint64_t k = v & 7;
    hash[k] += 1;
    if (v & 8) {
      k = v >> 20 & 7;
      o8[i] = v;
    }
    hash[k] += r8[v >> 5 & 1023];
  }
  return 0;
}

uint64_t inner_indices(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *hash = e->hash, *o8 = e->o8;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i & 1023], k = v & 7;
    hash[k] += 1;
    for (uint64_t turn = 0; turn < 6; ++turn) {
      uint64_t w = r8[v & 1023];
      hash[k] += w;
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

// Both fields are read at once, one is written.
uint64_t fields(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  struct counter *counters = (struct counter *)e->hash;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i & 1023];
    counters[v & 7].count += r8[(kind_of(counters[v & 7]) + i) & 1023];
  }
  return 0;
}

// The innermost loop keeps its place in a register.
uint64_t rows(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t length = e->permutation[i] & 15;
    for (uint64_t j = 0; j < length; ++j)
      for (uint64_t k = 0; k < length; ++k) {
        uint64_t v = r8[(i + j * 5 + k) & 1023];
        if (o8[i + j] < v)
          o8[i + j] = v;
      }
  }
  return 0;
}

uint64_t ahead(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict hash = e->hash;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t length = e->permutation[i] & 15, first = e->permutation[i ^ 5] & 15;
    uint64_t old = hash[first];
    for (uint64_t j = 0; j < length; ++j) {
      uint64_t next = hash[first + j + 1];
      hash[first + j] = old + r8[(i * 3 + j) & 1023];
      old = next;
    }
  }
  return 0;
}

struct sums {
  uint64_t of[16];
};

// Copied as a block, changed, and copied back.
uint64_t blocks(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8;
  struct sums *restrict hash = (struct sums *)e->hash;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i & 1023];
    struct sums copy = hash[v & 3];
    copy.of[v >> 7 & 15] += r8[v >> 9 & 1023];
    hash[v & 3] = copy;
  }
  return 0;
}

const struct entry fuzz_entries[] = {
    {"indices", indices, {0, 17, 573}},   {"inner_indices", inner_indices, {0, 17, 573}},
    {"fields", fields, {0, 17, 573}},     {"rows", rows, {40, 17, 1000}},
    {"ahead", ahead, {40, 17, 1000}},     {"blocks", blocks, {0, 17, 573}},
};
const unsigned fuzz_entry_count = 6;
