// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 2959: result under x86-static-O2-fields-minimal.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t *o8 = e->o8;
  uint64_t sink = 1;
  #pragma asyncmem num_task(3)
  for (uint64_t i = n; i > 0; --i) {
    __builtin_is_remote(r8);
    {
      uint64_t v0 = r8[i & 1023];
      o8[2 * i] = (uint64_t)i + o8[i];
      sink += v0 * 1;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)sink;
  return result;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {3, 3, 0}}};
const unsigned fuzz_entry_count = 1;
