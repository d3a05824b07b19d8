// SPDX-License-Identifier: Apache-2.0
#include "amac.h"
#include "bench.h"
#include "data.h"

// One search in flight; the word in the middle of [low, high) is on its way.
struct search {
  uint64_t operation, key, low, high;
};

static void prefetch_middle(const struct search *search) {
  amac_prefetch(&bs_sorted[(search->low + search->high) / 2]);
}

static struct search begin(uint64_t operation) {
  struct search search = {operation, bs_key(operation), 0, BS_WORDS};
  prefetch_middle(&search);
  return search;
}

void bench_run(uint64_t first, uint64_t count) {
  AMAC_RECORDS static struct search searches[BENCH_COROUTINES];
  const uint64_t end = first + count;
  uint64_t next = first, running = 0;
  while (running < BENCH_COROUTINES && next < end)
    searches[running++] = begin(next++);
  for (uint64_t k = 0; running > 0; k = amac_next(k, running)) {
    struct search *search = &searches[k];
    uint64_t middle = (search->low + search->high) / 2;
    // Even odds: chosen without a branch.
    bool above = __builtin_unpredictable(bs_sorted[middle] < search->key);
    search->low = above ? middle + 1 : search->low;
    search->high = above ? search->high : middle;
    if (search->low < search->high) {
      prefetch_middle(search);
      continue;
    }
    bs_found[search->operation] = search->low;
    if (next < end)
      *search = begin(next++);
    else
      *search = searches[--running];
  }
}
