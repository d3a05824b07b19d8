// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// An inner loop with a pragma that tasks must not share: the last iteration's value stays, and parts run in any order. MAY_STAY_SERIAL
#include "common.h"

enum { ROWS = 40, LENGTH = 700 };

// Each iteration writes it before it waits.
__attribute__((noinline)) static void last(const uint64_t *a, uint64_t *own, uint64_t *to, uint64_t rows) {
#pragma asyncmem num_task(16)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
#pragma asyncmem
    for (uint64_t k = 0; k < LENGTH; ++k) {
      own[r] = k * 3;
      to[r * LENGTH + k] = a[r * 50 + k] + 1;
    }
  }
}

int main(void) {
  uint64_t *a = remote_words(1 << 14), *to = remote_words(ROWS * LENGTH);
  static uint64_t own[ROWS];
  for (uint64_t rows = 1; rows <= ROWS; rows += 13) {
    last(a, own, to, rows);
    print_digest("last", own, sizeof own);
  }
  return 0;
}
