// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 24640. A row in the loop that a recursion became: the loop around the row, which takes levels back, can be passed without a wait, too, and
// was copied with the row. Values of it had no definition in the copy, and the compiler did not end.
#include "harness.h"
__attribute__((noinline, unused)) static uint64_t reduced_callee0a(uint64_t *r8, uint32_t *r4, uint16_t *w2, struct cell *cells, uint32_t
    *permutation, uint64_t *w8, uint8_t *w1, int32_t *s4, uint64_t *l8, struct node *nodes, uint8_t *r1, struct row *table, uint64_t i, uint64_t d,
    uint64_t x);
__attribute__((noinline, unused)) static uint64_t reduced_callee0b(uint64_t *r8, uint32_t *r4, uint16_t *w2, struct cell *cells, uint32_t
    *permutation, uint64_t *w8, uint8_t *w1, int32_t *s4, uint64_t *l8, struct node *nodes, uint8_t *r1, struct row *table, uint64_t i, uint64_t d,
    uint64_t x);
__attribute__((noinline, unused)) static uint64_t reduced_callee0a(uint64_t *r8, uint32_t *r4, uint16_t *w2, struct cell *cells, uint32_t
    *permutation, uint64_t *w8, uint8_t *w1, int32_t *s4, uint64_t *l8, struct node *nodes, uint8_t *r1, struct row *table, uint64_t i, uint64_t d,
    uint64_t x) {
  if (!d)
    return x * 3 + 1;
  uint32_t acc15 = (uint32_t)7;
  uint64_t sink = 1;
  {
    __builtin_is_remote(r8);
    __builtin_is_remote(r4);
    __builtin_is_remote(w2);
    __builtin_is_remote(w8);
    __builtin_is_remote(w1);
    __builtin_is_remote(s4);
    __builtin_is_remote(r1);
    uint64_t v10 = ((((uint64_t)3 | (uint64_t)255) % ((uint64_t)r8[(uint64_t)255 & 1023] | 1)) | (uint64_t)r4[(uint64_t)w2[(i ^ 1)] & 1023]);
    switch (x & 3) {
    case 0: {
      struct cell *q11 = &cells[permutation[i]];
      w8[i * 201 + 200] ^= (uint64_t)q11->x * 1 + (uint64_t)q11->y * 3 + (uint64_t)q11->t[v10 & 1] * 5;
    }
      /* falls through */
    case 1: {
      w1[2047 - i] -= (uint64_t)s4[l8[(uint64_t)0 & 1023] & 1023];
    }
      break;
    case 2: {
      const uint64_t f13 = (uint64_t)r1[(uint64_t)0xffffffffffffffffu & 1023] & 127;
      for (int j12 = (int)(f13 + (((uint64_t)1 | v10) & 15)); j12 > (int)f13; --j12) {
        const uint64_t g14 = r8[(r4[j12] + fuzz_pure(d)) & 1023];
        acc15 ^= (uint32_t)((i | d));
        uint64_t v16 = (uint64_t)1;
        uint64_t v17 = i;
      }
      uint64_t v18 = v10;
    }
      break;
    default:
      break;
    }
    sink += v10 * 1;
  }
  x = x * 31 + (uint64_t)acc15;
  x = x * 31 + (uint64_t)sink;
  return x + 5;
}
__attribute__((noinline, unused)) static uint64_t reduced_callee0b(uint64_t *r8, uint32_t *r4, uint16_t *w2, struct cell *cells, uint32_t
    *permutation, uint64_t *w8, uint8_t *w1, int32_t *s4, uint64_t *l8, struct node *nodes, uint8_t *r1, struct row *table, uint64_t i, uint64_t d,
    uint64_t x) {
  if (!d)
    return x * 3 + 1;
  uint64_t sink = 1;
  {
    __builtin_is_remote(r8);
    __builtin_is_remote(r4);
    __builtin_is_remote(w2);
    __builtin_is_remote(w8);
    __builtin_is_remote(w1);
    __builtin_is_remote(s4);
    __builtin_is_remote(r1);
    __builtin_is_remote(table);
    uint64_t v19 = (uint64_t)3;
    uint64_t v20 = v19;
    uint64_t below21 = 1;
    below21 = reduced_callee0b(r8, r4, w2, cells, permutation, w8, w1, s4, l8, nodes, r1, table, i, d - 1, d);
    uint64_t a22 = 0;
    while (a22 < 30 && r4[(a22 - (uint64_t)i) * 1 & 1023] % 11)
      ++a22;
    sink += v19 * 1 + v20 * 3 + below21 * 5 + a22 * 7;
  }
  x = x * 31 + (uint64_t)sink;
  return x + 5;
}
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint32_t *r4 = e->r4;
  uint64_t *w8 = e->w8;
  struct cell *cells = e->cells;
  uint32_t *permutation = e->permutation;
  struct node *nodes = e->nodes;
  uint16_t *w2 = e->w2;
  uint8_t *w1 = e->w1;
  int32_t *s4 = e->s4;
  uint64_t *l8 = e->l8;
  uint8_t *r1 = e->r1;
  struct row *table = e->table;
  uint64_t sink = 1;
  #pragma asyncmem num_task(400)
  for (int i = (int)n - 1; i >= 0; --i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(r4);
    __builtin_is_remote(w8);
    __builtin_is_remote(w2);
    __builtin_is_remote(w1);
    __builtin_is_remote(s4);
    __builtin_is_remote(r1);
    __builtin_is_remote(table);
    {
      uint64_t v0 = r8[i & 1023];
      uint64_t sum2 = (uint64_t)(1);
      const uint64_t n3 = (i + 2) * 16 < 200 ? (i + 2) * 16 : 200;
      const uint64_t f4 = (uint64_t)(int16_t)v0 & 127;
      #pragma asyncmem
      for (uint64_t j1 = f4; j1 < f4 + 1 * n3; j1 += 1) {
        const uint64_t e5 = (uint64_t)r4[((uint64_t)j1 * 37) & 1023];
        sum2 += (uint64_t)(((uint64_t)j1));
        uint64_t v6 = e5;
        uint64_t v7 = fuzz_list_sum(&nodes[e5 & 255]);
        uint64_t v8 = e5;
      }
      uint64_t v23 = reduced_callee0b(r8, r4, w2, cells, permutation, w8, w1, s4, l8, nodes, r1, table, (uint64_t)i, ((uint64_t)w1[2047 - i] & 1), (uint64_t)i);
      uint64_t v24 = (uint64_t)i;
      uint64_t v25 = (uint64_t)i;
      uint64_t v26 = (uint64_t)i;
      sink += v0 * 1 + (uint64_t)sum2 * 3 + v23 * 5 + v24 * 7 + v25 * 9 + v26 * 11;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {3, 2, 1}, 3}};
const unsigned fuzz_entry_count = 1;
