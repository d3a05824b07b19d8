// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seeds 4432 and 11304: the compiler crashed. The default of a switch leaves the loop, to a place that
// is never reached, and out of the ways that meet behind an early continue (-O1).
#include "harness.h"
uint64_t cannot_be_reached(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t sink = 1, sum = 0;
#pragma asyncmem num_task(5)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i & 1023];
    for (uint64_t j = 0; j < (i & 3); ++j) {
      switch (j & 3) {
      case 0:
        sink += i;
        break;
      case 1:
        sum += i;
        break;
      default:
        break;
      }
    }
    sink += v;
  }
  return sink * 31 + sum;
}
uint64_t ways_that_meet(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  int32_t *s4 = e->s4;
  struct node *nodes = e->nodes;
  uint64_t sink = 1, i = 0;
#pragma asyncmem num_task(64)
  for (;;) {
    __builtin_is_remote(r8);
    __builtin_is_remote(s4);
    __builtin_is_remote(nodes);
    if (i >= n)
      break;
    {
      uint64_t v0 = r8[i & 1023];
      uint64_t v1 = (uint64_t)((uint64_t)s4[v0 & 1023] < (uint64_t)nodes[fuzz_at(r8, v0) & 255].flag);
      if (v0 == v0) {
        uint64_t v2 = (i & 7) ? v0 : v0;
        if (i & 1)
          goto next;
        uint64_t v3 = v2;
      }
      uint64_t v4 = i;
      uint64_t v5 = i;
      sink += v0 * 1 + v1 * 3 + v4 * 5 + v5 * 7;
    }
  next:;
    ++i;
  }
  return sink;
}
const struct entry fuzz_entries[] = {
    {"cannot_be_reached", cannot_be_reached, {3, 40, 0}},
    {"ways_that_meet", ways_that_meet, {64, 130, 139}}};
const unsigned fuzz_entry_count = 2;
