// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  struct cell *cells = list_cells;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(cells);
    uint64_t sum = 0;
    for (uint64_t index = list_head(i); index != LIST_END; index = cells[index].next)
      sum += index;
    list_sums[i] = sum;
  }
}
