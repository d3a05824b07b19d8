// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const uint32_t *offsets = graph.offsets;
  const int32_t *neighbours = graph.neighbours;
  int32_t *parent = bfs_parent, *queue = bfs_queue;
  uint32_t tail = bfs_tail;
#pragma asyncmem num_task(BENCH_COROUTINES) shared_var(tail) lossy_update(parent)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(offsets);
    __builtin_is_remote(neighbours);
    __builtin_is_remote(parent);
    __builtin_is_remote(queue);
    const int32_t u = queue[i];
    const uint32_t end = offsets[u + 1];
    for (uint32_t e = offsets[u]; e < end; ++e) {
      const int32_t v = neighbours[e];
      if (parent[v] < 0) {
        parent[v] = u;
        queue[tail++] = v;
      }
    }
  }
  bfs_tail = tail;
}
