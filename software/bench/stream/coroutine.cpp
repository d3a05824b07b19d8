// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

// A task takes a cache line of each array: one prefetch an array and line.
static uint64_t line_end(uint64_t element, uint64_t end) {
  uint64_t next_line = (element / 8 + 1) * 8;
  return next_line < end ? next_line : end;
}

static coro::Task copy(uint64_t &next, uint64_t end) {
  while (next < end) {
    uint64_t i = next, stop = next = line_end(i, end);
    co_await coro::Prefetch{&stream_a[i]};
    for (; i < stop; ++i)
      stream_c[i] = stream_a[i];
  }
}

static coro::Task scale(uint64_t &next, uint64_t end) {
  while (next < end) {
    uint64_t i = next, stop = next = line_end(i, end);
    co_await coro::Prefetch{&stream_c[i]};
    for (; i < stop; ++i)
      stream_b[i] = STREAM_SCALAR * stream_c[i];
  }
}

static coro::Task add(uint64_t &next, uint64_t end) {
  while (next < end) {
    uint64_t i = next, stop = next = line_end(i, end);
    co_await coro::Prefetch{&stream_a[i], &stream_b[i]};
    for (; i < stop; ++i)
      stream_c[i] = stream_a[i] + stream_b[i];
  }
}

static coro::Task triad(uint64_t &next, uint64_t end) {
  while (next < end) {
    uint64_t i = next, stop = next = line_end(i, end);
    co_await coro::Prefetch{&stream_b[i], &stream_c[i]};
    for (; i < stop; ++i)
      stream_a[i] = stream_b[i] + STREAM_SCALAR * stream_c[i];
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) {
  coro::interleave(stream_quarter(STREAM_COPY) + first, count, copy);
  coro::interleave(stream_quarter(STREAM_SCALE) + first, count, scale);
  coro::interleave(stream_quarter(STREAM_ADD) + first, count, add);
  coro::interleave(stream_quarter(STREAM_TRIAD) + first, count, triad);
}
