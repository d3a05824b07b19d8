// SPDX-License-Identifier: Apache-2.0
// The address in an inner loop is the sum of two variables, one of which is 0 where the inner loop begins: there is nothing to add.
// (There the branch to the inner loop went away, and iterations were launched without end.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t sum_of_counters(struct env *e, uint64_t n) {
  uint32_t *r4 = e->r4;
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r4);
    uint32_t a = 0;
    while (a < 30 && r4[(a + i) * 8 & 1023] % 11)
      ++a;
    sum ^= a;
  }
  return sum;
}

uint64_t two_of_an_iteration(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  uint64_t sum = 0, seed = 3;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t count = 0, hash = 0, a = 0, b = seed;
    seed = seed * 5 + 1;
    while (count < 12) {
      ++count;
      const uint64_t v = r8[(a ^ b) * 8 & 1023];
      hash = hash * 3 + v;
      if (v % 11 == 0)
        break;
      if (v & 16)
        a = a + 1;
      else
        b = b >> 1;
    }
    sum += hash ^ a;
  }
  return sum;
}

const struct entry fuzz_entries[] = {{"sum_of_counters", sum_of_counters, {0, 1, 70}}, {"two_of_an_iteration", two_of_an_iteration, {0, 17, 73}}};
const unsigned fuzz_entry_count = 2;
