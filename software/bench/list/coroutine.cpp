// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

static coro::Task traverse(uint64_t &next, uint64_t end) {
  const cell *cells = list_cells;
  while (next < end) {
    uint64_t i = next++;
    uint64_t sum = 0;
    for (uint64_t index = list_head(i); index != LIST_END; index = cells[index].next) {
      co_await coro::Prefetch{&cells[index]};
      sum += index;
    }
    list_sums[i] = sum;
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, traverse); }
