// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

static void gather(uint64_t first, uint64_t count) {
  const int32_t *pattern = xrage_pattern;
  const double *sparse = xrage_sparse;
  double *dense = xrage_dense;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t j = first; j < first + count; ++j) {
    __builtin_is_remote(pattern);
    __builtin_is_remote(sparse);
    __builtin_is_remote(dense);
    dense[j] = sparse[pattern[j]];
  }
}

static void scatter(uint64_t first, uint64_t count) {
  const int32_t *pattern = xrage_pattern;
  const double *dense = xrage_dense_from;
  double *sparse = xrage_sparse_into;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t j = first; j < first + count; ++j) {
    __builtin_is_remote(pattern);
    __builtin_is_remote(dense);
    __builtin_is_remote(sparse);
    sparse[pattern[j]] = dense[j];
  }
}

void bench_run(uint64_t first, uint64_t count) {
  gather(first, count);
  scatter(first, count);
}
