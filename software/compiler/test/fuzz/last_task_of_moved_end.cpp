// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 41747. Tasks that update exclusively get more iterations while they run: what was the last one until then may end behind the one that is,
// and its value was the one behind the loop. Such loops do not ask for more.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t *atoms = e->atoms;
  uint64_t f1 = 21, last2 = 22;
  uint64_t sink = 1;
  #pragma asyncmem num_task(1) firstprivate(f1) lastprivate(last2)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(atoms);
    {
      uint64_t v0 = r8[i & 1023];
      __atomic_fetch_add(&atoms[(uint64_t)i & 63], (uint64_t)i, __ATOMIC_RELAXED);
      last2 = (uint64_t)r8[(uint64_t)i & 1023] + f1;
      sink += v0 * 1 + f1 * 3 + last2 * 5;
    }
  }
  uint64_t result = 1;
  result = result * 31 + (uint64_t)last2;
  result = result * 31 + (uint64_t)sink;
  return result;
}
extern "C" const struct entry fuzz_entries[] = {
    {"reduced", reduced, {3, 3, 0}, 1000}};
extern "C" const unsigned fuzz_entry_count = 1;
