// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

static coro::Task search(uint64_t &next, uint64_t end) {
  const uint64_t *sorted = bs_sorted;
  while (next < end) {
    uint64_t i = next++;
    uint64_t key = coro::kept(bs_key(i));
    uint64_t low = 0, high = BS_WORDS;
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      co_await coro::Prefetch{&sorted[middle]};
      if (sorted[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    bs_found[i] = low;
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, search); }
