// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 14576: result under x86-static-Os-none-minimal.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint32_t *w4 = e->w4;
  uint32_t *r4 = e->r4;
  uint64_t *l8 = e->l8;
  uint64_t *o8 = e->o8;
  uint32_t acc4 = (uint32_t)7;
  uint64_t sink = 1;
  #pragma asyncmem num_task(255)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w4);
    __builtin_is_remote(r4);
    {
      uint64_t v0 = r8[i & 1023];
      if (((v0 + (uint64_t)i) & 7)) {
        w4[2 * i + 1] += (uint64_t)(int16_t)(uint64_t)r4[(uint64_t)17 & 1023];
        uint64_t t1[8] = {v0};
        switch ((l8[(uint64_t)i & 1023] % ((uint64_t)i | 1)) & 3) {
        case 0: {
          uint64_t v2 = (v0 | v0);
          uint64_t v3 = v2;
        }
          break;
        case 1: {
          acc4 ^= (uint32_t)((uint64_t)3);
        }
          break;
        case 2: {
          uint64_t v5 = (uint64_t)3;
          uint64_t v6 = v0;
        }
          break;
        default:
          break;
        }
      }
      o8[2 * i] = v0 + o8[i];
      uint64_t v7 = (uint64_t)i;
      uint64_t v8 = (uint64_t)i;
      sink += v0 * 1 + v7 * 3 + v8 * 5;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)acc4;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {130, 333, 125}}};
const unsigned fuzz_entry_count = 1;
