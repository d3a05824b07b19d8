// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

static uint32_t parent_of(const uint32_t *parents, uint32_t vertex) {
  return __atomic_load_n(&parents[vertex], __ATOMIC_RELAXED);
}

// The higher of two roots gets the lower one as its parent, unless another iteration was there first.
static void join(uint32_t *parents, uint32_t one, uint32_t other) {
  one = parent_of(parents, one);
  other = parent_of(parents, other);
  while (one != other) {
    uint32_t high = one > other ? one : other, low = one > other ? other : one;
    uint32_t above = parent_of(parents, high);
    if (above == low || (above == high && __sync_bool_compare_and_swap(&parents[high], high, low)))
      return;
    one = parent_of(parents, parent_of(parents, high));
    other = parent_of(parents, low);
  }
}

void bench_run(uint64_t first, uint64_t count) {
  uint32_t *parents = union_parents;
  const struct edge *edges = union_edges;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(parents);
#ifndef FIRST_MARKS
    __builtin_is_remote(edges);
#endif
    join(parents, edges[i].one, edges[i].other);
  }
}
