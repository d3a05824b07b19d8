// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const struct matrix *a = &sparse_matrix;
  const double *x = sparse_vector;
  double *y = sparse_product;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t row = first; row < first + count; ++row) {
    __builtin_is_remote(x);
    const double *values = a->values[row];
    const uint32_t *columns = a->columns[row];
#ifndef FIRST_MARKS
    __builtin_is_remote(a->counts);
    __builtin_is_remote(a->values);
    __builtin_is_remote(a->columns);
    __builtin_is_remote(values);
    __builtin_is_remote(columns);
    __builtin_is_remote(y);
#endif
    double sum = 0;
    for (int k = 0; k < a->counts[row]; ++k)
      sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}
