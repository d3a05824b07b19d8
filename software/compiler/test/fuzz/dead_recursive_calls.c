// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 16504: compile under x86-static-O1-none-minimal-all.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  struct node *nodes = e->nodes;
  uint64_t acc1 = (uint64_t)0xffffffffffffffffu;
  uint64_t sink = 1;
  #pragma asyncmem num_task(255)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(nodes);
    {
      uint64_t v0 = r8[i * 7 + 1 & 1023];
      acc1 &= (uint64_t)((uint64_t)nodes[((((uint64_t)i & 1) || (v0 & 7)) ? (uint64_t)((uint64_t)i == v0) : v0) & 255].count);
      uint64_t v2 = (uint64_t)i;
      uint64_t v3 = (uint64_t)i;
      uint64_t j4 = (((v3 ^ (uint64_t)3) - v2) & 7) + 1;
      while (j4-- > 1) {
        uint64_t v5 = ((uint64_t)3 ^ v0);
        uint64_t v6 = fuzz_list_sum(&nodes[fuzz_list_sum(&nodes[(uint64_t)i & 255]) & 255]);
        uint64_t v7 = (uint64_t)i;
      }
      uint64_t v8 = (uint64_t)i;
      sink += v0 * 1 + v2 * 3 + v3 * 5 + v8 * 7;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)acc1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {333, 5, 197}}};
const unsigned fuzz_entry_count = 1;
