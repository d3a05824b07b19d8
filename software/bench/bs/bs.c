// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  uint64_t *sorted = bs_sorted;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(sorted);
    uint64_t key = bs_key(i);
    uint64_t low = 0, high = BS_WORDS;
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      if (sorted[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    bs_found[i] = low;
  }
}
