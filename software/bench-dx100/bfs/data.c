// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

int32_t *bfs_parent, *bfs_queue;
uint32_t bfs_tail;

static uint32_t slice;

void bench_init(void) {
  graph_make();
  graph_search();
  slice = graph_slice(BENCH_END);
  bfs_parent = remote_alloc(GRAPH_VERTICES * sizeof *bfs_parent);
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v)
    bfs_parent[v] = graph_is_reached(v, slice) ? search.parent[v] : GRAPH_UNREACHED;
  // Room for every edge, since a vertex may be put there twice.
  bfs_queue = remote_alloc(graph.offsets[GRAPH_VERTICES] * sizeof *bfs_queue);
  for (uint32_t i = 0; i < BENCH_END; ++i)
    bfs_queue[i] = search.order[slice + i];
  bfs_tail = BENCH_END;
}

static bool is_edge(int32_t from, int32_t to) {
  for (uint32_t e = graph.offsets[from]; e < graph.offsets[from + 1]; ++e)
    if (graph.neighbours[e] == to)
      return true;
  return false;
}

// The serial search reaches the same vertices; each has a parent of this slice.
bool bench_verify(uint64_t count) {
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v) {
    const int32_t u = bfs_parent[v];
    if (graph_is_reached(v, slice) || !graph_is_reached(v, slice + count)) {
      if (u != (graph_is_reached(v, slice) ? search.parent[v] : GRAPH_UNREACHED))
        return false;
    } else if (u < 0 || search.place[u] < (int32_t)slice || search.place[u] >= (int32_t)(slice + count) ||
               !is_edge(u, (int32_t)v)) {
      return false;
    }
  }
  return graph_is_queue(bfs_queue + BENCH_END, bfs_tail - BENCH_END, slice, slice + count);
}
