// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Read, modify, write of one remote word. The indices of one run are distinct: no update
// can get lost.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

__attribute__((noinline)) static void run(uint64_t *table, uint64_t count) {
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(table);
    uint64_t value = mix(i);
    table[i * 5 % WORDS] ^= value;
  }
}

int main(void) {
  uint64_t *table = remote_words(WORDS);
  run(table, 800);
  print_digest("table", table, WORDS * 8);
  return 0;
}
