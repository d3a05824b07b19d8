// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Counters as wide as no register, and variables of inner loops: the compiler ended where it kept them in one.
#include "common.h"

enum { COUNT = 300 };

#define LOOP(bits, from, step)                                                                                                                                 \
  __attribute__((noinline)) static uint64_t loop##bits(const uint64_t *a, uint64_t *to, unsigned _BitInt(bits) n) {                                            \
    uint64_t sum = 0;                                                                                                                                          \
    _Pragma("asyncmem num_task(8)") for (unsigned _BitInt(bits) i = from; i < n; i += step) {                                                                  \
      __builtin_is_remote(a);                                                                                                                                  \
      uint64_t v = a[(uint64_t)i * 7 & 1023] & 511;                                                                                                            \
      to[(uint64_t)i] = a[v];                                                                                                                                  \
      sum += v;                                                                                                                                                \
    }                                                                                                                                                          \
    return sum;                                                                                                                                                \
  }

LOOP(4, 0, 1)
LOOP(7, 3, 5)
LOOP(37, 3, 5)
LOOP(65, 1, 1)
LOOP(120, 3, 1)
LOOP(128, 3, 7)

__attribute__((noinline)) static void search(const uint64_t *a, uint64_t *to) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    unsigned _BitInt(41) low = 0, high = 1000;
    while (low < high) {
      unsigned _BitInt(41) middle = (low + high) / 2;
      if (a[(uint64_t)middle] < a[i])
        low = middle + 1;
      else
        high = middle;
    }
    to[i] += (uint64_t)low;
  }
}

int main(void) {
  uint64_t *a = remote_words(1024);
  static uint64_t to[COUNT];
  uint64_t sum = loop4(a, to, 14);
  sum += loop7(a, to, 100) * 3;
  sum += loop37(a, to, COUNT) * 5;
  sum += loop65(a, to, COUNT) * 7;
  sum += loop120(a, to, COUNT) * 11;
  sum += loop128(a, to, COUNT) * 13;
  search(a, to);
  print_digest("to", to, sizeof to);
  print_digest("sum", &sum, sizeof sum);
  return 0;
}
