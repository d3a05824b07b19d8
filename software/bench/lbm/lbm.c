// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const struct lbm_cell *restrict src_grid = lbm_src;
  struct lbm_cell *restrict dst_grid = lbm_dst;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(src_grid);
    __builtin_is_remote(dst_grid);
    lbm_move(&src_grid[i], &dst_grid[i]);
  }
}
