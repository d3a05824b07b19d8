// SPDX-License-Identifier: Apache-2.0
// Several searches a level at a time, without branches: the word that each needs next is prefetched while the others go on.
#include "bench.h"
#include "data.h"

void bench_run(uint64_t first, uint64_t count) {
  const uint64_t *sorted = bs_sorted;
  uint64_t keys[BENCH_COROUTINES], low[BENCH_COROUTINES];
  for (uint64_t i = first; i < first + count; i += BENCH_COROUTINES) {
    const uint64_t left = first + count - i, group = left < BENCH_COROUTINES ? left : BENCH_COROUTINES;
    for (uint64_t k = 0; k < group; ++k) {
      keys[k] = bs_key(i + k);
      low[k] = 0;
    }
    // The answer is among low ... low + 2 half: at the last level one word tells which.
    for (uint64_t half = BS_WORDS / 2; half > 0; half /= 2) {
      for (uint64_t k = 0; k < group; ++k) {
        low[k] += __builtin_unpredictable(sorted[low[k] + half - 1] < keys[k]) ? half : 0;
        __builtin_prefetch(&sorted[low[k] + (half > 1 ? half / 2 - 1 : 0)]);
      }
    }
    for (uint64_t k = 0; k < group; ++k)
      bs_found[i + k] = low[k] + (sorted[low[k]] < keys[k]);
  }
}
