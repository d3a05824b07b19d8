// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 1423: run under riscv-bafin-O2-sets-basic.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t *hash = e->hash;
  struct node *nodes = e->nodes;
  uint64_t *l8 = e->l8;
  uint32_t *o4 = e->o4;
  uint32_t *r4 = e->r4;
  uint16_t *w2 = e->w2;
  uint64_t acc2 = (uint64_t)7;
  uint64_t sink = 1;
  uint64_t k = n;
  #pragma asyncmem num_task(400)
  while (k) {
    __builtin_is_remote(r8);
    __builtin_is_remote(nodes);
    __builtin_is_remote(r4);
    __builtin_is_remote(w2);
    --k;
    const uint64_t i = k;
    {
      uint64_t v0 = r8[i & 1023];
      uint64_t v1 = (uint64_t)i;
      hash[((uint64_t)(int16_t)(uint64_t)1 << ((uint64_t)nodes[(uint64_t)0x9e3779b97f4a7c15u & 255].count & 31)) & 63] += l8[(uint64_t)0 & 1023];
      if (((uint64_t)o4[i] & 3)) {
        acc2 ^= (uint64_t)((uint64_t)nodes[(uint64_t)r4[(v1 + (uint64_t)1) & 1023] & 255].key);
      } else {
        uint64_t j3 = (((v0 >= (uint64_t)255) ? (v1 >> ((uint64_t)i & 31)) : v1) & 3) + 1;
        do {
          w2[i] ^= v1;
        } while (--j3 > 1 && j3 < 9);
        if (((uint64_t)1 & 1))
          continue;
        uint64_t v4 = (uint64_t)i;
      }
      sink += v0 * 1 + v1 * 3;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)acc2;
  result = result * 31 + (uint64_t)sink;
  return result;
}
extern "C" const struct entry fuzz_entries[] = {
    {"reduced", reduced, {40, 3, 46}}};
extern "C" const unsigned fuzz_entry_count = 1;
