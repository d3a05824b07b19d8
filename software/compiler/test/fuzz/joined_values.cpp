// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 6235: result under x86-static-O2-all-basic.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint8_t *r1 = e->r1;
  uint32_t *w4 = e->w4;
  uint64_t *w8 = e->w8;
  int32_t *s4 = e->s4;
  uint32_t *o4 = e->o4;
  uint64_t sink = 1;
  #pragma asyncmem num_task(7)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(r1);
    __builtin_is_remote(w4);
    __builtin_is_remote(w8);
    __builtin_is_remote(s4);
    {
      uint64_t v0 = r8[i * 7 + 1 & 1023];
      uint64_t j1 = ((uint64_t)i & 3) + 1;
      do {
        if (((v0 ^ (uint64_t)i) == (v0 >> (v0 & 31)))) {
          if (((j1 & j1) & 7)) {
            uint64_t v2 = (uint64_t)r1[(uint64_t)w4[2 * i + 1] & 1023];
          }
        }
      } while (--j1 > 1 && j1 < 9);
      uint64_t v3 = (uint64_t)w8[i];
      if ((v3 & 7))
        continue;
      for (uint64_t j4 = 0; j4 < ((uint64_t)i & 7); ++j4) {
        switch (j4 & 3) {
        case 0: {
          uint64_t v5 = (uint64_t)s4[(uint64_t)o4[(i ^ 1)] & 1023];
          w8[i] ^= v5 * 1;
        }
          break;
        case 1: {
          v3 = (uint64_t)i;
          uint64_t v6 = (uint64_t)i;
        }
          break;
        default:
          break;
        }
      }
      sink += v0 * 1 + v3 * 3;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
extern "C" const struct entry fuzz_entries[] = {
    {"reduced", reduced, {333, 333, 1}}};
extern "C" const unsigned fuzz_entry_count = 1;
