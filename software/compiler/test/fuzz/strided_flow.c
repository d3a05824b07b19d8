// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 17: result under x86-static-O2.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t *w8 = e->w8;
  uint64_t acc1 = (uint64_t)0;
  uint64_t sink = 1;
  #pragma asyncmem num_task(3)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(w8);
    {
      uint64_t v0 = r8[i & 1023];
      acc1 += (uint64_t)((uint64_t)i);
      uint64_t v2 = (uint64_t)i;
      uint64_t v3 = (uint64_t)i;
      w8[2 * i] = (uint64_t)i + w8[i];
      sink += v0 * 1 + v2 * 3 + v3 * 5;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)acc1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {3, 3, 0}}};
const unsigned fuzz_entry_count = 1;
