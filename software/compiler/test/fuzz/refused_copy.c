// SPDX-License-Identifier: Apache-2.0
// A loop whose updates are of different words by what LLVM has learnt of its function, and not by what it finds out of a copy of that: it
// was accepted on trial and refused in the copy. Reduced from seed 895.
// RUN: %fuzz_check %s --out %t
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  int32_t *s4 = e->s4;
  uint8_t *r1 = e->r1;
  struct row *rows = e->rows;
  struct node *nodes = e->nodes;
  struct cell *cells = e->cells;
  uint64_t *o8 = e->o8;
  uint64_t *l8 = e->l8;
  uint64_t *w8 = e->w8;
  uint32_t *r4 = e->r4;
  uint64_t seq1 = 12345;
  uint64_t sink = 1;
  #pragma asyncmem num_task(1) reduction(+:sink)
  for (int i = (int)n - 1; i >= 0; --i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(s4);
    __builtin_is_remote(r1);
    __builtin_is_remote(rows);
    __builtin_is_remote(nodes);
    __builtin_is_remote(cells);
    __builtin_is_remote(w8);
    __builtin_is_remote(r4);
    {
      uint64_t v0 = r8[i * 7 + 1 & 1023];
      if (((uint64_t)i >= seq1)) {
        uint64_t v2 = (uint64_t)s4[(uint64_t)r1[((v0 & 7) ? (uint64_t)i : (uint64_t)17) & 1023] & 1023];
        if (((uint64_t)(rows[2 * i + 1].p.size) == (uint64_t)nodes[v0 & 255].key))
          goto next;
        sink += v2 * 1;
      }
      struct cell cell3 = cells[2047 - i];
      switch (((uint64_t)o8[i] - (cell3.x ^ (uint64_t)0x9e3779b97f4a7c15u)) & 3) {
      case 0: {
        const uint64_t f5 = (uint64_t)1 & 127;
        for (int j4 = (int)(f5 + (fuzz_mix((uint64_t)i) & 63)); j4 > (int)f5; --j4) {
          const uint64_t g6 = s4[(j4 * 37 + cell3.x) & 1023];
          uint64_t v7 = fuzz_at(r8, fuzz_mix(v0));
          uint64_t v8 = fuzz_mix((uint64_t)(uint32_t)g6);
        }
      }
        break;
      default: {
        uint64_t v9 = (uint64_t)(l8[l8[seq1 & 1023] & 1023] == (uint64_t)w8[2 * i + 1]);
        uint64_t v10 = (((cell3.x % ((uint64_t)0xffffffffffffffffu | 1)) & (uint64_t)s4[v9 & 1023]) << (v0 & 31));
        sink += v9 * 1 + v10 * 3;
      }
        break;
      }
      uint64_t f12 = v0 & 127;
      for (uint64_t j11 = f12; j11 < f12 + 1 * (fuzz_list_sum(&nodes[cell3.x & 255]) & 15); j11 += 1) {
        uint64_t v13 = ((uint64_t)s4[(uint64_t)r4[j11] & 1023] | (uint64_t)r4[j11]);
      }
      uint64_t v14 = fuzz_mix(cell3.x);
      w8[2 * i + 1] ^= v0 * 1 + cell3.x * 3 + v14 * 5;
    }
    next:;
    seq1 ^= seq1 << 7, seq1 ^= seq1 >> 9;
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)seq1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {17, 0, 56}}};
const unsigned fuzz_entry_count = 1;
