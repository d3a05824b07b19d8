// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

// A cell is two and a half cache lines, on up to four of them.
static coro::Task move(uint64_t &next, uint64_t end) {
  while (next < end) {
    uint64_t i = next++;
    const lbm_cell *cell = &lbm_src[i];
    co_await coro::Prefetch{&cell->f[0], &cell->f[8], &cell->f[16], &cell->kind};
    lbm_move(cell, &lbm_dst[i]);
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, move); }
