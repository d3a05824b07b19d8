// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

_Static_assert(BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS <= STREAM_ELEMENTS / STREAM_KERNELS,
               "one element an operation");

double *stream_a, *stream_b, *stream_c;

static double initial_a(uint64_t i) { return 1 + i % 1024; }
static double initial_b(uint64_t i) { return 2 + i % 512; }

void bench_init(void) {
  stream_a = remote_alloc(STREAM_ELEMENTS * sizeof(double));
  stream_b = remote_alloc(STREAM_ELEMENTS * sizeof(double));
  stream_c = remote_alloc(STREAM_ELEMENTS * sizeof(double));
  for (uint64_t i = 0; i < STREAM_ELEMENTS; ++i) {
    stream_a[i] = initial_a(i);
    stream_b[i] = initial_b(i);
    stream_c[i] = i % 256;
  }
}

// All values are small whole numbers: the answer is exact, also with fused multiply-add.
bool bench_verify(uint64_t count) {
  const uint64_t copy = stream_quarter(STREAM_COPY), scale = stream_quarter(STREAM_SCALE),
                 add = stream_quarter(STREAM_ADD), triad = stream_quarter(STREAM_TRIAD);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t t = triad + i;
    if (stream_c[copy + i] != initial_a(copy + i) || stream_b[scale + i] != STREAM_SCALAR * ((scale + i) % 256) ||
        stream_c[add + i] != initial_a(add + i) + initial_b(add + i) ||
        stream_a[t] != initial_b(t) + STREAM_SCALAR * (t % 256))
      return false;
  }
  return true;
}
