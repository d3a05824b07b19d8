// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "mix.h"

// Elements of a block, which has one run of 16 to 47 elements: of those that begin anywhere in it.
enum { Block = 64, ShortestRun = 16 };
#define BLOCKS (XRAGE_ELEMENTS / Block)

int32_t *xrage_pattern;
double *xrage_dense, *xrage_sparse, *xrage_dense_from, *xrage_sparse_into;

static uint32_t length_of(uint32_t run) { return ShortestRun + mix64(run) % 32; }

// Where a run begins: an odd factor takes every block once.
static uint32_t begin_of(uint32_t run) {
  return run * 0x9e3779b1u % BLOCKS * Block + (uint32_t)(mix64(~(uint64_t)run) % (Block - length_of(run) + 1));
}

static double *allocate(uint64_t elements) {
  double *array = remote_alloc(elements * sizeof *array);
  for (uint64_t i = 0; i < elements; ++i)
    array[i] = 0;
  return array;
}

void bench_init(void) {
  xrage_pattern = remote_alloc(BENCH_END * sizeof *xrage_pattern);
  for (uint32_t run = 0, i = 0; i < BENCH_END; ++run)
    for (uint32_t k = 0; k < length_of(run) && i < BENCH_END; ++k)
      xrage_pattern[i++] = (int32_t)(begin_of(run) + k);
  xrage_dense = allocate(BENCH_END);
  xrage_dense_from = allocate(BENCH_END);
  xrage_sparse = allocate(XRAGE_ELEMENTS);
  xrage_sparse_into = allocate(XRAGE_ELEMENTS);
  for (uint32_t i = 0; i < BENCH_END; ++i)
    xrage_dense_from[i] = i + 1;
  for (uint32_t k = 0; k < XRAGE_ELEMENTS; ++k)
    xrage_sparse[k] = k;
}

// By the runs; what was scattered is taken back, and nothing is left.
bool bench_verify(uint64_t count) {
  double left = 0;
  for (uint32_t run = 0, i = 0; i < count; ++run)
    for (uint32_t k = 0; k < length_of(run) && i < count; ++k, ++i) {
      if (xrage_dense[i] != begin_of(run) + k)
        return false;
      xrage_sparse_into[begin_of(run) + k] -= i + 1;
    }
  for (uint32_t k = 0; k < XRAGE_ELEMENTS; ++k)
    left += xrage_sparse_into[k] * xrage_sparse_into[k];
  return left == 0;
}
