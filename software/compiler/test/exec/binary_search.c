// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// for_in_cond: an inner loop whose length depends on remote data; local results.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

static uint64_t found[COUNT];

__attribute__((noinline)) static void run(const uint64_t *sorted) {
#pragma asyncmem num_task(32)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(sorted);
    uint64_t key = mix(i) % (3 * WORDS), low = 0, high = WORDS;
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      if (sorted[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    found[i] = low;
  }
}

int main(void) {
  uint64_t *sorted = remote_words(WORDS);
  for (int i = 0; i < WORDS; ++i)
    sorted[i] = 3u * i;
  run(sorted);
  print_digest("found", found, sizeof found);
  return 0;
}
