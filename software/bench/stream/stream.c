// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

static void copy(double *restrict c, const double *restrict a, uint64_t first, uint64_t end) {
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(c);
    c[i] = a[i];
  }
}

static void scale(double *restrict b, const double *restrict c, uint64_t first, uint64_t end) {
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(c);
    __builtin_is_remote(b);
    b[i] = STREAM_SCALAR * c[i];
  }
}

static void add(double *restrict c, const double *restrict a, const double *restrict b, uint64_t first, uint64_t end) {
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    __builtin_is_remote(c);
    c[i] = a[i] + b[i];
  }
}

static void triad(double *restrict a, const double *restrict b, const double *restrict c, uint64_t first,
                  uint64_t end) {
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(b);
    __builtin_is_remote(c);
    __builtin_is_remote(a);
    a[i] = b[i] + STREAM_SCALAR * c[i];
  }
}

void bench_run(uint64_t first, uint64_t count) {
  const uint64_t end = first + count;
  uint64_t quarter = stream_quarter(STREAM_COPY);
  copy(stream_c, stream_a, quarter + first, quarter + end);
  quarter = stream_quarter(STREAM_SCALE);
  scale(stream_b, stream_c, quarter + first, quarter + end);
  quarter = stream_quarter(STREAM_ADD);
  add(stream_c, stream_a, stream_b, quarter + first, quarter + end);
  quarter = stream_quarter(STREAM_TRIAD);
  triad(stream_a, stream_b, stream_c, quarter + first, quarter + end);
}
