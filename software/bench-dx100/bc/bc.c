// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

static void count_paths(uint64_t first, uint64_t count) {
  const uint32_t *offsets = graph.offsets;
  const int32_t *neighbours = graph.neighbours;
  const int32_t depth = bc_depth;
  int32_t *depths = bc_depths, *queue = bc_queue;
  float *counts = bc_counts;
  uint64_t *succ = bc_succ;
  uint32_t tail = bc_tail;
#pragma asyncmem num_task(BENCH_COROUTINES) shared_var(tail) lossy_update(depths)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(offsets);
    __builtin_is_remote(neighbours);
    __builtin_is_remote(depths);
    __builtin_is_remote(queue);
    __builtin_is_remote(counts);
    __builtin_is_remote(succ);
    const int32_t u = queue[i];
    const uint32_t end = offsets[u + 1];
    const float paths = counts[u];
    for (uint32_t e = offsets[u]; e < end; ++e) {
      const int32_t v = neighbours[e];
      if (depths[v] == GRAPH_UNREACHED) {
        depths[v] = depth;
        queue[tail++] = v;
      }
      if (depths[v] == depth) {
        succ[e / 64] |= 1ul << e % 64;
        counts[v] += paths;
      }
    }
  }
  bc_tail = tail;
}

static void add_dependencies(uint64_t first, uint64_t count) {
  const uint32_t *offsets = graph.offsets;
  const int32_t *neighbours = graph.neighbours, *queue = bc_queue;
  const float *counts = bc_all_counts;
  const uint64_t *succ = bc_succ;
  float *deltas = bc_deltas, *scores = bc_scores;
#pragma asyncmem num_task(BENCH_COROUTINES) distinct_update(scores)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(offsets);
    __builtin_is_remote(neighbours);
    __builtin_is_remote(queue);
    __builtin_is_remote(counts);
    __builtin_is_remote(succ);
    __builtin_is_remote(deltas);
    __builtin_is_remote(scores);
    const int32_t u = queue[i];
    const uint32_t end = offsets[u + 1];
    const float paths = counts[u];
    float delta = 0;
    for (uint32_t e = offsets[u]; e < end; ++e) {
      const int32_t v = neighbours[e];
      if (succ[e / 64] >> e % 64 & 1)
        delta += paths / counts[v] * (1 + deltas[v]);
    }
    deltas[u] = delta;
    scores[u] += delta;
  }
}

void bench_run(uint64_t first, uint64_t count) {
  count_paths(first, count);
  add_dependencies(first, count);
}
