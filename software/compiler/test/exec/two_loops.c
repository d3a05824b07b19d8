// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Two marked loops in one function, one inside an outer serial loop; remote_alloc as root.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

int main(void) {
  uint64_t *a = remote_alloc(WORDS * 8);
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < WORDS; ++i)
    a[i] = mix(i);
  uint64_t sum = 0;
  for (int round = 0; round < 3; ++round) {
#pragma asyncmem num_task(12) reduction(+:sum)
    for (int i = 0; i < 300; ++i)
      sum += a[(i * 7 + round) % WORDS];
    a[round] = sum;
  }
  print_digest("sum", &sum, sizeof sum);
  print_digest("a", a, WORDS * 8);
  return 0;
}
