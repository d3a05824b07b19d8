// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const uint32_t *rows = cg_rows, *columns = cg_columns;
  const double *a = cg_values, *p = cg_vector;
  double *q = cg_product;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t j = first; j < first + count; ++j) {
    __builtin_is_remote(rows);
    __builtin_is_remote(columns);
    __builtin_is_remote(a);
    __builtin_is_remote(p);
    __builtin_is_remote(q);
    const uint32_t end = rows[j + 1];
    double sum = 0;
    for (uint32_t k = rows[j]; k < end; ++k)
      sum += a[k] * p[columns[k]];
    q[j] = sum;
  }
}
