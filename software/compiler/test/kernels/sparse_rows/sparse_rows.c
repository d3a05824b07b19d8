// SPDX-License-Identifier: Apache-2.0
#include "asyncmem.h"
#include "bench.h"
#include "data.h"

void bench_run(uint64_t first, uint64_t count) {
  const uint64_t *start = rows_start, *weights = rows_weights, *vector = rows_vector;
  const uint32_t *columns = rows_columns;
  uint64_t *product = rows_product;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t r = first; r < first + count; ++r) {
    __builtin_is_remote(columns);
    __builtin_is_remote(weights);
    __builtin_is_remote(vector);
    __builtin_is_remote(product);
    uint64_t sum = 0, end = start[r + 1];
#if ROWS_SHARED
#pragma asyncmem
#endif
    for (uint64_t e = start[r]; e < end; ++e)
      sum += weights[e] * vector[columns[e]];
    product[r] = sum;
  }
}
