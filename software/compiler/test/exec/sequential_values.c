// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Values carried in order: a generator, a second counter, a pointer; used after the loop.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

__attribute__((noinline)) static void run(uint64_t *a, uint32_t *order) {
  uint64_t random = 1;
  uint32_t *p = order;
  unsigned step = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    random = (random << 1) ^ ((int64_t)random < 0 ? 7 : 0);
    step += 3;
    *p++ = (uint32_t)(a[random % WORDS] + step);
  }
  printf("%lu %u %ld\n", (unsigned long)random, step, (long)(p - order));
}

int main(void) {
  static uint32_t order[COUNT];
  run(remote_words(WORDS), order);
  print_digest("order", order, sizeof order);
  return 0;
}
