// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

static coro::Task update(uint64_t &next, uint64_t end) {
  uint64_t *table = gups_table;
  while (next < end) {
    uint64_t random = coro::kept(mix64(next++));
    uint64_t *word = &table[gups_index(random)];
    co_await coro::Prefetch{word};
    *word ^= random;
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, update); }
