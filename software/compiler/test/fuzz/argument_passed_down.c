// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 2238. The recursion hands its argument i down unchanged: behind it i is a phi of phis that only pass i round
// in a cycle. Seen through it, w4[i + 1] = i + w4[i] is a dependence between iterations, and the loop stays serial.
#include "harness.h"
__attribute__((noinline, unused)) static uint64_t reduced_callee0a(struct node *nodes, uint64_t *o8, int32_t *s4, uint64_t *w8,
    uint16_t *w2, uint8_t *r1, uint32_t *r4, uint64_t i, uint64_t d, uint64_t x) {
  if (!d)
    return x * 3 + 1;
  uint64_t sink = 1;
  {
    if ((fuzz_list_sum(&nodes[d & 255]) & 4)) {
      uint64_t t2[2] = {(uint64_t)o8[i]};
      for (struct node *j3 = &nodes[d & 255]; j3; j3 = j3->next) {
      }
    }
    for (struct node *j5 = &nodes[(uint64_t)r4[(uint64_t)0x9e3779b97f4a7c15u & 1023] & 255]; j5; j5 = j5->next) {
    }
    uint64_t below7 = 1;
    below7 = reduced_callee0a(nodes, o8, s4, w8, w2, r1, r4, i, d - 1, (uint64_t)(int32_t)i);
    sink += below7 * 1;
  }
  x = x * 31 + (uint64_t)sink;
  return x + 5;
}
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  struct node *nodes = e->nodes;
  uint64_t *o8 = e->o8;
  int32_t *s4 = e->s4;
  uint64_t *w8 = e->w8;
  uint16_t *w2 = e->w2;
  uint8_t *r1 = e->r1;
  uint32_t *r4 = e->r4;
  uint32_t *w4 = e->w4;
  uint32_t acc1 = (uint32_t)1;
  uint64_t sink = 1;
  #pragma asyncmem num_task(16)
  for (uint64_t i = 0, k = n; i < k; ++i, --k) {
    __builtin_is_remote(r8);
    __builtin_is_remote(nodes);
    __builtin_is_remote(s4);
    __builtin_is_remote(w8);
    __builtin_is_remote(w2);
    __builtin_is_remote(r1);
    __builtin_is_remote(r4);
    __builtin_is_remote(w4);
    {
      uint64_t v0 = r8[i * 7 + 1 & 1023];
      uint64_t v8 = reduced_callee0a(nodes, o8, s4, w8, w2, r1, r4, (uint64_t)i, ((uint64_t)i & 15), (uint64_t)i);
      w4[i + 1] = (uint64_t)i + w4[i];
    }
  }
  uint64_t result = 1;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {2, 333, 600}}};
const unsigned fuzz_entry_count = 1;
